"""Wrong versions of partition_for, StickyPartitioner, assign, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, right, survivor

KEY_GOES = "a_key_gets_the_partition_that_kafka_chooses"
SIGN_MASKED = "the_sign_bit_of_the_hash_is_cleared"
KEPT = "a_partition_is_kept_until_its_batch_is_full"
EVENLY = "bytes_are_spread_evenly"
ONE_OWNER = "each_partition_has_exactly_one_owner"
LOADS = "loads_differ_by_at_most_one"
FEW_MOVES = "a_rebalance_moves_as_few_partitions_as_possible"
ORDER = "the_order_of_members_changes_no_assignment"
NO_GROUP = "an_invalid_group_raises_value_error"

reference("partition_for")

mutant(
    "sign_negated",  # as abs() in Java
    SIGN_MASKED,
    ("(murmur2(key) & 0x7FFFFFFF)", "min(murmur2(key), 2**32 - murmur2(key))"),
)

reference("murmur2")

mutant(
    "rest_left_out",  # of a length that is not a multiple of four
    KEY_GOES,
    ("if rest := data[whole:]", "if rest := b''"),
    task="partition_for",
)

reference("StickyPartitioner")

mutant(
    "an_empty_record_has_a_byte",
    KEPT,
    ("self._missing_bytes -= record_bytes", "self._missing_bytes -= record_bytes or 1"),
)
mutant("in_a_circle", EVENLY, ("min(in_turn, key=lambda partition: self._bytes[partition])", "in_turn[0]"))
survivor(
    "StickyPartitioner",
    "self._bytes = [0] * partitions",
    "self._bytes = [ -1] * partitions",
    reason="equivalent: loads are compared with each other only",
)
survivor(
    "StickyPartitioner",
    "self._bytes = [0] * partitions",
    "self._bytes = [ 1] * partitions",
    reason="equivalent: loads are compared with each other only",
)
survivor(
    "StickyPartitioner",
    "in_turn = (*range(self._current + 1, len(self._bytes)), *range(self._current + 1))",
    "in_turn = (*range(self._current + 1, len(self._bytes)), *range(self._current | 1))",
    reason="equivalent: leaves out none but the partition that is full, which is not to be taken again",
)

reference("assign")

mutant("a_member_twice", NO_GROUP, (" or len(set(members)) < len(members)", ""))
mutant(
    "a_partition_below_zero",
    [ONE_OWNER, ORDER],
    (
        "= sorted(free.intersection(previous.get(name, ())))",
        "= [each for each in previous.get(name, ()) if each < 0 or each in free]",
    ),
)
mutant("both_claims_count", [ONE_OWNER, FEW_MOVES], ("        free.difference_update(kept[name])\n", ""))
mutant("in_the_order_of_members", ORDER, ("in sorted(members):", "in members:"))
mutant("the_new_stay_empty", LOADS, ("free.update(kept[name][load:])", "pass"), ("kept[name][:load]", "kept[name]"))


@right
def assign(partitions, members, previous):
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")
    owned = {name: [] for name in sorted(members)}
    for name in owned:
        taken = {each for own in owned.values() for each in own}
        owned[name] = [each for each in range(partitions) if each in previous.get(name, ()) and each not in taken]
    free = set(range(partitions)).difference(*owned.values())
    while owned and (free or max(map(len, owned.values())) > min(map(len, owned.values())) + 1):
        poorest = min(owned, key=lambda name: len(owned[name]))
        richest = max(owned, key=lambda name: len(owned[name]))
        owned[poorest].append(free.pop() if free else owned[richest].pop())
    return {name: sorted(own) for name, own in owned.items()}


survivor(
    "assign",
    "if partitions < 0 or len(set(members)) < len(members):",
    "if partitions < 0 or len(set(members)) != len(members):",
    reason="equivalent: a set is never larger than the list that it is made of",
)
survivor(
    "assign",
    "most_first = sorted(kept, key=lambda name: -len(kept[name])) # these get the larger load",
    "most_first = sorted(kept, key=lambda name: ~len(kept[name])) # these get the larger load",
    reason="equivalent: ~n is -n - 1, which falls as -n does",
)
