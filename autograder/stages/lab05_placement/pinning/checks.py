"""The checks of `pin`.

On a machine with one core, a pinned process looks like any other; the checks judge what can be observed.
"""

from autograder.checks import Case, Mismatch, Rows, check, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab05_placement.pinning import cases
from autograder.stages.lab05_placement.pinning.cases import NO_CORE

GONE = ("FileNotFoundError", "ProcessLookupError", "OSError")


def _asked(case: Case, rows: Rows) -> list[int]:
    """Return the cores that the drive asked for."""
    return [_own(rows)[at % len(_own(rows))] if at < NO_CORE else at for at in case["cores"]]


def _own(rows: Rows) -> list[int]:
    """Return the cores that the drive may use."""
    own = rows.get("own")
    fits = isinstance(own, list) and own and all(type(core) is int for core in own)
    return own if fits and isinstance(own, list) else [-1]


def _pin(case: Case, rows: Rows) -> str:
    return f"pin(pid, {shown(_asked(case, rows))}), where the cores {shown(_own(rows))} may be used,"


def _named(wrong: Mismatch | None, rows: Rows) -> Mismatch | None:
    if not wrong or rows.get("part") == [0, 1, 2, 8]:
        return wrong
    return Mismatch(f"First fix your cpus, whose own check fails. {wrong.sentence}", wrong.expected, wrong.got)


def _wrong_threads(case: Case, rows: Rows, name: str, many: int, expected: list[int]) -> Mismatch | None:
    """Check that each thread may use exactly the expected cores."""
    found = rows.get(name)
    if not isinstance(found, list) or len(found) != many:
        return Mismatch(f"Expected the process to have {many} threads; it has {shown(found)}.", many, found)
    others = [cores for cores in found if cores != expected]
    if not others:
        return None
    what = f"all {many} threads to be on the cores {shown(expected)} after {_pin(case, rows).rstrip(',')}"
    return Mismatch(f"Expected {what}; in yours, {len(others)} of them may use {shown(others[0])}.", expected, found)


def _pinned(case: Case, rows: Rows) -> Mismatch | None:
    expected = sorted(set(_asked(case, rows)))
    wrong = must_answer(_pin(case, rows), "the cores of the process", rows)
    many = case["threads"] + bool(case.get("starts_meanwhile"))
    wrong = wrong or _wrong_threads(case, rows, "cores_of_threads", many, expected)
    return _named(wrong or _wrong_threads(case, rows, "cores_later", many + 1, expected), rows)


@check("pin", cases=cases.threads, invariant=11)
def all_threads_of_the_process_are_pinned(case: Case, rows: Rows) -> Mismatch | None:
    """Check the threads that exist, one that starts while they are pinned, and one that starts later."""
    return _pinned(case, rows)


@check("pin", cases=cases.answers, invariant=11)
def pin_returns_the_cores_that_proc_reports(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the cores are in ascending order, each of them once."""
    if wrong := must_answer(_pin(case, rows), "the cores of the process", rows):
        return _named(wrong, rows)
    expected, got = sorted(set(_asked(case, rows))), rows.get("returned_cores")
    return _named(same_value(expected, got, what=_pin(case, rows)), rows)


@check("pin", cases=cases.unavailable, invariant=8, after="all_threads_of_the_process_are_pinned")
def unavailable_cores_raise_value_error_and_change_nothing(case: Case, rows: Rows) -> Mismatch | None:
    """Check that a process that has ended raises OSError, and that available cores are accepted."""
    if case.get("gone"):
        if rows.get("rejected") in GONE:
            return None
        return must_reject(f"{_pin(case, rows)} for a process that has ended", rows, error="OSError")
    if case["cores"] == [0]:
        return _pinned(case, rows)
    wrong = must_reject(_pin(case, rows), rows)
    return wrong or _wrong_threads(case, rows, "cores_of_threads", case["threads"], _own(rows))
