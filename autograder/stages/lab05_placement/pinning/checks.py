"""What is claimed of `pin`. With one core, a pinned process looks like any other; what can be seen is judged."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab05_placement.pinning import cases

GONE = ("FileNotFoundError", "ProcessLookupError", "OSError")


def _pin(rows: Rows) -> str:
    return f"pin(pid, {shown(rows.get('asked'))}) where the cores {shown(rows.get('own'))} may be used"


def _named(wrong: Mismatch | None, rows: Rows) -> Mismatch | None:
    if not wrong or rows.get("part") == [0, 1, 2, 8]:
        return wrong
    return Mismatch(f"First repair cpus, whose own check fails. {wrong.sentence}", wrong.expected, wrong.got)


def _asked(rows: Rows) -> list[int]:
    return sorted(set(rows["asked"]))


def _unknown(rows: Rows) -> Mismatch | None:
    """That the cores of the case are not known: nothing can be said of `pin` then."""
    for name, least in ("asked", 0), ("own", 1):
        cores = rows.get(name)
        if not isinstance(cores, list) or len(cores) < least or not all(type(core) is int for core in cores):
            return Mismatch(f"Expected the cores of the case ({name}) as a list; it is {shown(cores)}.", [], cores)
    return None


def _wrong_threads(case: Case, rows: Rows, name: str, many: int, expected: list[int]) -> Mismatch | None:
    """Threads that may use other cores than expected."""
    found = rows.get(name)
    if not isinstance(found, list) or len(found) != many:
        return Mismatch(f"Expected the process to have {many} threads; it has {shown(found)}.", many, found)
    others = [cores for cores in found if cores != expected]
    if not others:
        return None
    what = f"all {many} threads to be on the cores {shown(expected)} after {_pin(rows)}"
    return Mismatch(f"Expected {what}; of yours {len(others)} may use {shown(others[0])}.", expected, found)


def _pinned(case: Case, rows: Rows) -> Mismatch | None:
    if wrong := _unknown(rows) or must_answer(_pin(rows), "the cores of the process", rows):
        return _named(wrong, rows)
    wrong = _wrong_threads(case, rows, "cores_of_threads", case["threads"], _asked(rows))
    return _named(wrong or _wrong_threads(case, rows, "cores_later", case["threads"] + 1, _asked(rows)), rows)


@check("pin", cases=cases.threads, invariant=8)
def all_threads_of_the_process_are_pinned(case: Case, rows: Rows) -> Mismatch | None:
    """Those that are there, and one that starts later."""
    return _pinned(case, rows)


@check("pin", cases=cases.answers, invariant=8)
def pin_returns_the_cores_that_proc_reports(case: Case, rows: Rows) -> Mismatch | None:
    """Ascending, each once."""
    if wrong := _unknown(rows) or must_answer(_pin(rows), "the cores of the process", rows):
        return _named(wrong, rows)
    got: Any = rows.get("returned_cores")
    if got == _asked(rows):
        return None
    return _named(
        Mismatch(f"Expected {_pin(rows)} to be {_asked(rows)}; yours is {shown(got)}.", _asked(rows), got), rows
    )


@check("pin", cases=cases.unavailable, invariant=13)
def unavailable_cores_raise_value_error_and_change_nothing(case: Case, rows: Rows) -> Mismatch | None:
    """A process that is gone raises OSError; cores that are there are fine."""
    if case.get("gone"):
        if rows.get("rejected") in GONE:
            return None
        return must_reject(f"{_pin(rows)}, for a process that has ended,", rows, error="OSError")
    if case["cores"] == [0]:
        return _pinned(case, rows)
    wrong = _unknown(rows) or must_reject(_pin(rows), rows)
    return wrong or _wrong_threads(case, rows, "cores_of_threads", case["threads"], rows["own"])
