"""The checks of `TopicClient`, with the kit's clients on the other side."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.rejection import must_answer
from autograder.stages.lab03_log.clients import cases, oracle

GROUPS = {"board": ("ann", "bob"), "audit": ("audit",)}


@check("TopicClient", cases=cases.published, invariant=6)
def foreign_consumers_read_what_it_publishes(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the values that a group of the kit's reads from each partition."""
    right = oracle.values_by_partition(case["records"], case["partitions"])
    wrong = must_answer("publish(records)", "nothing", rows)
    return wrong or _same_partitions(right, rows.get("read"), "another group reads after your publish")


@check("TopicClient", cases=cases.shared, invariant=17)
def members_share_a_topic_and_every_group_reads_all_of_it(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the values of each group; of the records before it came, a group may get some twice."""
    right = oracle.values_by_partition(case["records"], case["partitions"])
    if wrong := must_answer("read(group, handle, is_over)", "nothing", rows):
        return wrong
    if rows.get("formed") is not True:
        rule = "Expected two members of one group to share four partitions, and another group to get every record"
        return Mismatch(f"{rule}; yours did not within the time limit.", True, rows.get("formed"))
    for group, members in GROUPS.items():
        handled = [each for name in members for each in _handled(rows, name)]
        got: dict[str, list[Any]] = {}
        for partition, value in handled:
            got.setdefault(str(partition), []).append(value)
        wrong = wrong or _same_partitions(right, got, f"the group {group} reads")
        first = rows["first"].get(group) if isinstance(rows.get("first"), dict) else None
        if not wrong and first is not True:
            rule = f"Expected the group {group} to begin with the first record of each partition"
            wrong = Mismatch(f"{rule}; yours misses the record that was sent before the group existed.", True, first)
    if not wrong and rows.get("left") is not True:
        wrong = Mismatch("Expected read() to return once is_over() is true; yours does not.", True, rows.get("left"))
    return wrong


def _handled(rows: Rows, name: str) -> list[Any]:
    handled = rows["handled"].get(name) if isinstance(rows.get("handled"), dict) else None
    return [each for each in handled if isinstance(each, list) and len(each) == 2] if isinstance(handled, list) else []


def _same_partitions(right: dict[str, list[str]], got: Any, who: str) -> Mismatch | None:
    wrong = None
    for partition, values in right.items():
        found = got.get(partition, []) if isinstance(got, dict) else got
        wrong = wrong or same_value(values, found, what=f"what {who} from partition {partition}")
    return wrong
