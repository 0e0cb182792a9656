"""The checks of `Membership`, against a real ZooKeeper."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab03_log.membership import cases, oracle


def _group(case: Case) -> str:
    return f"a group of {shown(case['members'])}"


def _no_group(case: Case, rows: Rows) -> Mismatch | None:
    """Return the mismatch if valid arguments were rejected."""
    return must_answer(f"Membership in {_group(case)}", "without an error", rows)


def _nodes(path: str, kind: str, rows: Rows) -> Mismatch | None:
    """Require that the nodes are of a kind, as the drive observed them."""
    if rows.get(kind) is True:
        return None
    return Mismatch(f"Expected the nodes /consumers/GROUP/{path} to be {kind}; yours are not.", True, rows.get(kind))


def _seen_all_then(left: list[str], what: str, case: Case, rows: Rows) -> Mismatch | None:
    """Require that the watcher saw all members and then the remaining ones, and that these are the members."""
    if wrong := _no_group(case, rows):
        return wrong
    everybody, seen = sorted(case["members"]), rows.get("seen")
    wrong = same_sequence(left, rows.get("members"), what=f"members() after {what}")
    if wrong or (isinstance(seen, list) and seen[-2:] == [everybody, left]):
        return wrong
    rule = f"Expected on_change to report {shown(everybody)} and then, after {what}, {shown(left)}"
    return Mismatch(f"{rule}; yours reported {shown(seen)}.", [everybody, left], seen)


@check("Membership", cases=cases.gone, invariant=11)
def the_others_notice_a_killed_member(case: Case, rows: Rows) -> Mismatch | None:
    """Require an ephemeral node: it disappears with its session."""
    what = f'the kill of "{case["kill"]}" in {_group(case)}'
    wrong = _seen_all_then(oracle.left(case["members"], case["kill"]), what, case, rows)
    return wrong or _nodes("ids/ME", "ephemeral", rows)


@check("Membership", cases=cases.leaving, invariant=11, after="the_others_notice_a_killed_member")
def the_others_notice_a_member_that_leaves(case: Case, rows: Rows) -> Mismatch | None:
    """Require sorted names before and after leave()."""
    returns = f" with a notify that returns {case['notify_returns']}" if "notify_returns" in case else ""
    what = f'leave() of "{case["leave"]}" in {_group(case)}{returns}'
    return _seen_all_then(oracle.left(case["members"], case["leave"]), what, case, rows)


@check("Membership", cases=cases.names, invariant=11, after="the_others_notice_a_killed_member")
def a_name_belongs_to_one_session_at_a_time(case: Case, rows: Rows) -> Mismatch | None:
    """Accept a node of the same session; wait for a node of another session until the time-out."""
    if case["kind"] == "same_name":
        what = f"join(timeout_s={case['timeout_s']}) while another session holds the name"
        wrong = must_reject(what, rows, "TimeoutError")
    else:
        whose = "the same session" if case["kind"] == "own_session" else "another session, which ends,"
        what = f"join() while {whose} holds the name"
        wrong = _no_group(case, rows)
    return wrong or _same_members(case["members"], what, rows)


def _same_members(members: list[str], what: str, rows: Rows) -> Mismatch | None:
    return same_sequence(sorted(members), rows.get("members"), what=f"members() after {what}")


@check("Membership", cases=cases.commits, invariant=11)
def committed_offsets_outlive_their_member(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the last offset of each partition, or 0; the nodes are persistent."""
    return _same_offsets(case, rows) or _nodes("offsets/PARTITION", "persistent", rows)


def _same_offsets(case: Case, rows: Rows) -> Mismatch | None:
    expected: dict[str, Any] = oracle.committed(case["commits"], case["partitions"])
    what = f"committed offsets of the partitions {shown(case['partitions'])} after commits {shown(case['commits'])}"
    return _no_group(case, rows) or same_value(expected, rows.get("committed"), what=what)
