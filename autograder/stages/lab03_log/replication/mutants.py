"""Wrong versions of ReplicatedPartition, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

WATERMARK = "the_high_watermark_is_what_all_in_sync_replicas_have"
ACKS = "acks_decides_when_a_record_counts_as_stored"
IN_SYNC = "a_follower_is_in_sync_while_it_reaches_the_end_in_time"
CLEAN = "a_clean_election_loses_nothing_below_the_high_watermark"
UNCLEAN = "an_unclean_election_loses_what_its_leader_does_not_have"

reference("ReplicatedPartition")

mutant(
    "watermark_of_the_leader",
    [WATERMARK, ACKS, IN_SYNC, CLEAN, UNCLEAN],
    ("min(map(self._in_common, self.isr))", "self._in_common(self.leader)"),
)
mutant(
    "all_replicas_hold_the_watermark_back",
    [ACKS, IN_SYNC, CLEAN, UNCLEAN],
    ("min(map(self._in_common, self.isr))", "min(map(self._in_common, range(len(self.logs))))"),
)
mutant("compares_values_only", [CLEAN, UNCLEAN], ("pair[0] == pair[1]", "pair[0].value == pair[1].value"))
mutant(
    "lag_in_entries",
    [ACKS, IN_SYNC, CLEAN, UNCLEAN],
    (
        "now_ms - self._reached_end_ms[each] > self._lag_ms",
        "len(self.logs[self.leader]) - self._in_common(each) > self._lag_ms",
    ),
)
mutant(
    "longest_log_leads",
    UNCLEAN,
    (
        "self.leader = min(in_sync or (alive if unclean else ()), default=None)",
        "chosen = in_sync or (alive if unclean else ())\n"
        "        self.leader = min(chosen, default=None, key=lambda each: (bool(in_sync) or -len(self.logs[each]), each))",
    ),
)
mutant("always_unclean", [CLEAN, UNCLEAN], ("(alive if unclean else ())", "alive"))
mutant("old_producers_still_wait", [ACKS, CLEAN, UNCLEAN], ("        self._waiting.clear()\n", ""))
survivor(
    "ReplicatedPartition",
    "if len(self.logs[follower]) == len(source):",
    "if len(self.logs[follower]) >= len(source):",
    reason="equivalent: after a fetch, no follower has more entries than the leader",
)
