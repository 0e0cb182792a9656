"""Wrong versions of `size` and `admit`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

LOADS = "instances_carry_the_peak_and_drain_the_backlog"
HOT = "a_hot_key_cannot_be_scaled"
INVALID = "invalid_loads_are_rejected"
ROOM = "room_is_used_and_nothing_invented"
SHARES = "queues_of_a_rank_share_max_min"
RANKS = "important_ranks_come_first_and_none_starves"
INVALID_ROOM = "invalid_room_is_rejected"

reference("size")

mutant("floats_buy_one_more", LOADS, ("100 * busy / busy_percent", "busy / (busy_percent / 100)"))
mutant("a_hot_key_is_spread", HOT, ("if needed(busy * each.hottest_percent / 100) > 1:", "if False:"))
mutant("no_time_to_drain", INVALID, ("or drain_s < 1\n", "or drain_s < -999\n"))

reference("admit")

mutant("room_of_equal_shares_only", [ROOM, SHARES, RANKS], (" + len(hungry) - 1 - place)", ")"))
mutant("strict_priority_starves", RANKS, ("for limit in (least, room):", "for limit in (room,):"))
mutant("negative_room_is_none", INVALID_ROOM, ("if room < 0 or least < 0:", "room = max(0, room)\n    if least < 0:"))


# As Spark's maxOffsetsPerTrigger: in proportion to what waits.
@mutant("in_proportion", [SHARES, RANKS])
def admit(waiting, ranks, room, least):
    if room < 0 or least < 0:
        raise ValueError("negative")
    total = sum(waiting.values())
    granted = {name: min(waits, room * waits // total) if total else 0 for name, waits in waiting.items()}
    for name in sorted(waiting):
        more = min(waiting[name] - granted[name], room - sum(granted.values()))
        granted[name] += max(0, more)
    return granted


survivor(
    "admit",
    "while hungry and waiting[hungry[0]] <= totals[rank] // len(hungry):",
    "while hungry and waiting[hungry[0]] <= totals[rank] / len(hungry):",
    reason="equivalent: a whole number is at most a share if it is at most the share rounded down",
)
survivor(
    "size",
    "if needed(busy * each.hottest_percent / 100) > 1:",
    "if needed(busy * each.hottest_percent / 100) != 1:",
    reason="equivalent: at least one instance is needed",
)
