"""The checks of `partition_for`, `StickyPartitioner` and `assign`; an assignment is judged by its properties."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_sequence, same_value
from autograder.checks.compare import is_whole, shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab03_log.log.comparators import counted
from autograder.stages.lab03_log.partitions import cases, oracle
from autograder.stages.lab03_log.partitions.comparators import bytes_after_each, moves, stays

# partition_for


def _keys(case: Case) -> list[bytes]:
    return (
        [bytes.fromhex(key) for key in case["keys_hex"]] if "keys_hex" in case else [k.encode() for k in case["keys"]]
    )


def _partition_for(case: Case) -> str:
    return f"partition_for({_keys(case)[0]!r}, {case['partitions']})"


def _same_partitions(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the partition of each key; of keys of all lengths, say which ones are right."""
    keys, of = _keys(case), case["partitions"]
    right, got = [oracle.partition_for(key, of) for key in keys], rows.get("partitions")
    yours = [*(got if isinstance(got, list) else []), *[None] * len(keys)][: len(keys)]
    each_key = zip(keys, right, yours, strict=True)
    differ = [same_value(*both, what=f"partition_for({key!r}, {of})") for key, *both in each_key]
    wrong = must_answer(_partition_for(case), "a partition", rows) or next(filter(None, differ), None)
    passed = [str(len(key)) for key, each in zip(keys, differ, strict=True) if each is None]
    if wrong and passed and "keys_hex" in case:
        return replace(wrong, sentence=f"{wrong.sentence} For keys of {', '.join(passed)} bytes, yours is right.")
    return wrong


@check("partition_for", cases=cases.keys, invariant=6)
def a_key_gets_the_partition_that_kafka_chooses(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the partitions of keys of any length and any bytes."""
    return _same_partitions(case, rows)


@check("partition_for", cases=cases.signed, invariant=6)
def the_sign_bit_of_the_hash_is_cleared(case: Case, rows: Rows) -> Mismatch | None:
    """Require that the sign bit is neither negated nor kept: Kafka takes the lower 31 bits."""
    return _same_partitions(case, rows)


# StickyPartitioner


def _sticky(case: Case) -> str:
    return f"StickyPartitioner(partitions={case['partitions']}, batch_bytes={case['batch_bytes']})"


def _no_choices(case: Case, rows: Rows) -> Mismatch | None:
    """Return the mismatch for rows without a valid partition for each record."""
    what = f"partition of {_sticky(case)} for records of {shown(case['sizes'])} bytes"
    wrong, chosen = must_answer(what, "a partition", rows), rows.get("chosen")
    if wrong:
        return wrong
    valid = range(case["partitions"])
    if (
        isinstance(chosen, list)
        and len(chosen) == len(case["sizes"])
        and all(_is_among(each, valid) for each in chosen)
    ):
        return None
    sentence = f"Expected {what} to give one of {shown(list(valid))} for each record; yours gives {shown(chosen)}."
    return Mismatch(sentence, len(case["sizes"]), chosen)


def _is_among(value: Any, valid: range) -> bool:
    return is_whole(value) and value in valid


@check("StickyPartitioner", cases=cases.kept, invariant=7)
def a_partition_is_kept_until_its_batch_is_full(case: Case, rows: Rows) -> Mismatch | None:
    """Require that the record that fills the batch stays and that the next one goes elsewhere."""
    if (wrong := _no_choices(case, rows)) or case["partitions"] == 1:
        return wrong
    chosen, sizes = rows["chosen"], case["sizes"]
    for at, has_to_stay in enumerate(stays(chosen, sizes, case["batch_bytes"]), 1):
        if (chosen[at] == chosen[at - 1]) != has_to_stay:
            where = f"{'stay at' if has_to_stay else 'leave'} partition {chosen[at - 1]}"
            so_far = f"records of {shown(sizes[:at])} bytes went to partitions {shown(chosen[:at])}"
            sentence = f"Expected {_sticky(case)} to {where} after {so_far}; yours then chooses {chosen[at]}."
            return Mismatch(sentence, has_to_stay, chosen)
    return None


@check("StickyPartitioner", cases=cases.spread, invariant=7)
def bytes_are_spread_evenly(case: Case, rows: Rows) -> Mismatch | None:
    """Require that two partitions always differ by less than a batch and a record."""
    if wrong := _no_choices(case, rows):
        return wrong
    less_than = case["batch_bytes"] + max(case["sizes"])
    loads = bytes_after_each(rows["chosen"], case["sizes"], case["partitions"])
    for number, each in enumerate(loads, 1):
        if max(each) - min(each) >= less_than:
            rule = f"Expected the bytes of two partitions of {_sticky(case)} to differ by less than {less_than}"
            return Mismatch(f"{rule}; after {number} records yours are {shown(each)}.", less_than, each)
    return None


# assign


def _call(case: Case) -> str:
    arguments = ", ".join(shown(case[name], 300) for name in ("partitions", "members", "previous"))
    return f"assign({arguments})"


def _no_assignment(case: Case, rows: Rows) -> Mismatch | None:
    """Return the mismatch for rows without a list of partitions for each member."""
    wrong, assigned = must_answer(_call(case), "a dict", rows), rows.get("assigned")
    if not wrong and len(case["members"]) == 1:  # a single member must get everything: its load is always even
        wrong = same_value({case["members"][0]: list(range(case["partitions"]))}, assigned, what=_call(case))
    if wrong or (isinstance(assigned, dict) and all(_are_partitions(each) for each in assigned.values())):
        return wrong
    sentence = f"Expected {_call(case)} to give each member a list of partitions; yours gives {shown(assigned)}."
    return Mismatch(sentence, case["members"], assigned)


def _are_partitions(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_whole, value))


@check("assign", cases=cases.groups, invariant=8)
def each_partition_has_exactly_one_owner(case: Case, rows: Rows) -> Mismatch | None:
    """Require an ascending list for each member, which may be empty."""
    if wrong := _no_assignment(case, rows):
        return wrong
    assigned, call = rows["assigned"], _call(case)
    wrong = same_items(case["members"], list(assigned), what=f"members in {call}")
    given = [partition for each in assigned.values() for partition in each]
    expected: Iterable[int] = range(case["partitions"]) if case["members"] else ()
    wrong = wrong or same_items(expected, given, what=f"partitions in {call}")
    for name, each in assigned.items():
        wrong = wrong or same_sequence(sorted(each), each, what=f"the partitions of {name} in {call}")
    return wrong


@check("assign", cases=cases.groups, invariant=8)
def loads_differ_by_at_most_one(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the loads, even if there are more members than partitions."""
    if wrong := _no_assignment(case, rows):
        return wrong
    loads = {name: len(rows["assigned"].get(name, [])) for name in case["members"]}
    if not loads or max(loads.values()) - min(loads.values()) <= 1:
        return None
    sentence = f"Expected the loads of {_call(case)} to differ by at most one; yours are {shown(loads)}."
    return Mismatch(sentence, None, loads)


@check("assign", cases=cases.groups, invariant=8, after="each_partition_has_exactly_one_owner")
def a_rebalance_moves_as_few_partitions_as_possible(case: Case, rows: Rows) -> Mismatch | None:
    """Count moves away from members that stay; of two that claim a partition, the first alphabetically owned it."""
    group = case["partitions"], case["members"], case["previous"]
    fewest, owned = oracle.fewest_moves(*group), oracle.owned(*group)
    if wrong := _no_assignment(case, rows):
        return wrong
    moved = moves(owned, rows["assigned"])
    if len(moved) <= fewest:
        return None
    sentence = f"Expected {_call(case)} to take at most {counted(fewest, 'partition')} from members that stay"
    return Mismatch(f"{sentence}; yours takes {shown(moved)}: {shown(rows['assigned'], 300)}.", fewest, moved)


@check("assign", cases=cases.groups, invariant=8)
def the_order_of_members_changes_no_assignment(case: Case, rows: Rows) -> Mismatch | None:
    """Require one assignment for every order, since every member computes it for itself."""
    wrong = _no_assignment(case, rows)
    if wrong or rows.get("same_in_every_order") is True:
        return wrong
    sentence = f"Expected {_call(case)} to be the same for every order of members and previous; yours differs"
    if isinstance(other := rows.get("other"), dict):
        results = [shown(each.get("assigned"), 300) for each in (rows, other)]
        call = _call({**case, **{name: other.get(name) for name in ("members", "previous")}})
        sentence = f"{sentence}: it is {results[0]}, and {call} is {results[1]}"
    sentence += "."
    return Mismatch(sentence, True, rows.get("same_in_every_order"))


@check("assign", cases=cases.impossible_groups, invariant=14)
def an_invalid_group_raises_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError for partitions below zero and a member twice. A group without members is valid."""
    if case["partitions"] < 0 or len(set(case["members"])) < len(case["members"]):
        return must_reject(_call(case), rows)
    wrong = must_answer(_call(case), "a dict", rows)
    return wrong or same_value({name: [] for name in case["members"]}, rows.get("assigned"), what=_call(case))
