"""Wrong versions of bucket_of, balancer_for and rebalance, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

NAMED = "only_the_named_fields_decide_the_bucket"
PROCESSES = "a_bucket_is_the_same_in_every_process"
EQUAL = "equal_values_share_a_bucket"
SPREAD = "keys_are_spread_over_the_buckets"
MEET = "rows_that_must_meet_go_to_one_instance"
STATELESS = "stateless_operators_get_rows_in_turns"
ANY_PAIR = "a_join_without_equal_fields_broadcasts_one_input"
OWNER = "every_bucket_has_an_owner_that_exists"
BALANCED = "no_single_move_lowers_the_load_of_the_fullest"
NEED = "no_bucket_moves_without_need"
BOUND = "at_zipf_1_the_speed_up_is_at_least_0_9_of_the_bound"
LOADS = "invalid_loads_and_owners_raise_value_error"

reference("bucket_of")

mutant("whole_row", NAMED, ("values = [row[field] for field in fields]", "values = list(row.values())"))
mutant("hash_of_python", PROCESSES, ("zlib.crc32(repr(plain).encode())", "hash(tuple(plain))"))
mutant("by_their_text", EQUAL, ("repr(plain)", "repr(values)"))

mutant("only_ascii_letters", SPREAD, ("repr(plain).encode()", 'repr(plain).encode("ascii", "ignore")'))
# Equal values of two fields cancel each other out.
mutant(
    "xor_of_the_fields",
    SPREAD,
    ("zlib.crc32(repr(plain).encode())", "reduce(operator.xor, (zlib.crc32(repr(v).encode()) for v in plain), 0)"),
)
mutant(
    "whole_numbers_as_they_are",
    SPREAD,
    (
        "    return zlib.crc32",
        "    if len(plain) == 1 and isinstance(plain[0], int):\n        return plain[0] % buckets\n    return zlib.crc32",
    ),
)

reference("balancer_for")

mutant("fields_of_input_0", MEET, ("operator.keys(port)", "operator.keys(0)"))
mutant(
    "routes_to_one", STATELESS, ('return Plan("round robin")\n    fields', 'return Plan("route key", ())\n    fields')
)
mutant(
    "both_broadcast",
    ANY_PAIR,
    ('if port else Plan("round robin")', ""),
    ('return Plan("broadcast") ', 'return Plan("broadcast")'),
)

reference("rebalance")

mutant(
    "those_that_are_gone_stay",
    [OWNER, BALANCED, BOUND, NEED, LOADS],
    (
        "new[bucket] = total.index(min(total))\n        total[new[bucket]] += loads[bucket]",
        "continue\n        total[new[bucket]] += loads[bucket]",
    ),
)
mutant(
    "only_ever_the_largest_bucket",
    [BALANCED, NEED, LOADS],
    (
        "if total[owner] == largest and 0 < loads[bucket] < gap",
        "if total[owner] == largest and loads[bucket] == max(loads[b] for b, o in enumerate(new) if o == owner) and 0 < loads[bucket] < gap",
    ),
)
# Takes the example of the rule, at most 16 of 128 buckets, for a limit.
mutant(
    "stops_after_16_moves",
    BOUND,
    ("while True:", "for _ in range(16):"),
    ("new[bucket] = emptiest", "new[bucket] = emptiest\n    return new"),
)
# Two instances can have the largest load.
mutant("looks_at_one_of_the_fullest", BALANCED, ("total[owner] == largest", "owner == total.index(largest)"))
mutant(
    "moves_each_bucket_once",
    BALANCED,
    ("if total[owner] == largest", "if new[bucket] == owners[bucket] and total[owner] == largest"),
)
mutant("negative_loads", LOADS, ("*loads, *owners", "*owners"))


# Automatic mutants that no check can catch

survivor(
    "bucket_of",
    "if not isinstance(value, str | None) and value == value // 1",
    "if not isinstance(value, str | None) and value <= value // 1",
    reason="equivalent: no number is below its own floor",
)
survivor(
    "balancer_for",
    "if instances == 1:",
    "if instances <= 1:",
    reason="equivalent: there is no promise for fewer than 1 instance",
)
survivor(
    "rebalance",
    "instances < 1",
    "instances < 0",
    reason="equivalent: the largest load of no instance is a ValueError, too",
)
survivor(
    "rebalance",
    "new, total = list(owners), [0] * instances",
    "new, total = list(owners), [ 1] * instances",
    reason="equivalent: only differences of loads matter",
)
survivor(
    "rebalance",
    "new, total = list(owners), [0] * instances",
    "new, total = list(owners), [ -1] * instances",
    reason="equivalent: only differences of loads matter",
)
survivor(
    "rebalance",
    "if total[owner] == largest and 0 < loads[bucket] < gap",
    "if total[owner] >= largest and 0 < loads[bucket] < gap",
    reason="equivalent: no load is above the largest one",
)
survivor(
    "rebalance",
    "bucket = min(movable, key=lambda bucket: abs(gap - 2 * loads[bucket]))",
    "bucket = min(movable, key=lambda bucket: abs(gap - 3 * loads[bucket]))",
    reason="equivalent: another choice that needs few moves",
)
survivor(
    "rebalance",
    "if total[owner] == largest and 0 < loads[bucket] < gap",
    "if total[owner] == largest and 0 != loads[bucket] < gap",
    reason="equivalent: no load is below 0",
)
survivor(
    "rebalance",
    "bucket = min(movable, key=lambda bucket: abs(gap - 2 * loads[bucket]))",
    "bucket = min(movable, key=lambda bucket: abs(gap ^ 2 * loads[bucket]))",
    reason="equivalent: another choice that needs few moves",
)
