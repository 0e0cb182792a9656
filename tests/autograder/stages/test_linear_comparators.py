"""The work of every comparator grows with the rows that it reads, and never with their square.

Work is counted in executed instructions and in comparisons of the rows' values, so nothing here depends on time.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import pytest

from autograder.checks import Check, Rows, load_stage
from autograder.course import load_course
from autograder.stages.lab05_placement.orchestrator.comparators import twice
from tests.autograder.stages.driven_reference import ROOT, is_plain, paths_in, reference_rows, replaced

PATHS_GROWN = 4
FEW, MANY = 50, 100  # values of a grown list
NOISE, ENOUGH = 3_000, 200_000  # instructions
LABS = list(load_course(ROOT).labs)
PLAIN = [(lab, each) for lab in LABS for each in load_stage(lab).checks if is_plain(lab, each.task)]


class Work:
    """Counts the instructions and comparisons of a call."""

    def __init__(self) -> None:
        self.done = 0

    def of(self, call: Callable[[], Any]) -> int:
        self.done, before = 0, sys.gettrace()
        sys.settrace(self._trace)
        try:
            with suppress(Exception):  # rows that a check cannot read become a verdict elsewhere
                call()
        finally:
            sys.settrace(before)
        return self.done

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        self.done += 1
        if self.done > ENOUGH:
            raise OverflowError("this oracle needs more, whatever the rows are")
        return self._trace


WORK = Work()


class Text(str):
    """A text that counts its comparisons."""

    def __eq__(self, other: object) -> bool:
        WORK.done += 1
        return super().__eq__(other)

    __hash__ = str.__hash__


class Number(int):
    """A whole number that counts its comparisons."""

    def __eq__(self, other: object) -> bool:
        WORK.done += 1
        return super().__eq__(other)

    __hash__ = int.__hash__


def other(value: Any, number: int) -> Any:
    """Return a value of the same form that differs for each number, with leaves that count their comparisons."""
    if isinstance(value, list):
        return [other(each, number) for each in value]
    if isinstance(value, dict):
        return {key: other(each, number) for key, each in value.items()}
    if isinstance(value, str):
        return Text(f"{value}{number}")
    return Number(value + number) if type(value) is int else value


def grown(value: Any, count: int) -> Any:
    """Return a list or dict with `count` more values like its own."""
    if isinstance(value, dict):
        first = next(iter(value.values()), 0)
        return value | {f"more {number}": other(first, number) for number in range(count)}
    first = value[0] if value else 0
    return [*value, *(other(first, 1_000 + number) for number in range(count))]


def containers_in(rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of the first few lists and dicts in rows, of each kind of path only one."""
    kinds: set[tuple[Any, ...]] = set()
    for path in paths_in(rows):
        kind = tuple("each" if isinstance(step, int) else step for step in path)
        if isinstance(at(rows, path), list | dict) and kind not in kinds and len(kinds) < PATHS_GROWN:
            kinds.add(kind)
            yield path


def at(rows: Rows, path: tuple[Any, ...]) -> Any:
    value: Any = rows
    for step in path:
        value = value[step]
    return value


def require_linear(work: Callable[[int], Callable[[], Any]], what: object) -> None:
    none, few, many = (WORK.of(work(count)) for count in (0, FEW, MANY))
    begins_at = min(none, few // 2)  # rows that are wrong may need less work than right ones

    assert many - few <= 2 * (few - begins_at) + NOISE, (what, none, few, many)


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "check"), PLAIN, ids=[f"{lab}/{check.name}" for lab, check in PLAIN])
def test_the_work_of_a_check_grows_with_its_rows(lab: str, check: Check) -> None:
    case = check.cases("public")[0]
    rows = reference_rows(lab, check.task, json.dumps(case))

    def with_more(path: tuple[Any, ...], count: int) -> Callable[[], Any]:
        more = replaced(rows, path, grown(at(rows, path), count))
        return lambda: check.judge(case, more)

    for path in containers_in(rows):
        require_linear(partial(with_more, path), path)


# Checks that need Spark or a service, on rows made by hand


def checks_of(lab: str, task: str) -> list[Check]:
    return load_stage(lab).of_task(task)


@pytest.mark.parametrize("check", checks_of("lab04_subqueries", "spark_step"), ids=lambda check: check.name)
def test_the_work_of_a_check_on_buckets_grows_with_their_number(check: Check) -> None:
    case = check.cases("public")[0]

    def with_buckets(count: int) -> Callable[[], Any]:
        results = [[Number(1_000 + number), 0, []] for number in range(count)]
        step = {"results": results, "shuffles": 1, "state_stays": True, "jobs": 0, "died": True}
        return lambda: check.judge(case, {"steps": [step] * len(case["steps"])})

    require_linear(with_buckets, check.name)


@pytest.mark.parametrize("check", checks_of("lab05_placement", "InstanceManager"), ids=lambda check: check.name)
def test_the_work_of_a_check_on_managers_grows_with_their_number(check: Check) -> None:
    case = check.cases("public")[0]

    def with_managers(count: int) -> Callable[[], Any]:
        state = {"runs": {f"m{number}": [Text(f"i{number}")] for number in range(count)}}
        return lambda: check.judge(case, {"seen": [state] * len(case["script"])})

    require_linear(with_managers, check.name)


def test_the_work_of_finding_instances_that_run_twice_grows_with_the_logs() -> None:
    def with_starts(count: int) -> Callable[[], Any]:
        events = [[at_s, "start" if at_s % 2 else "stop", "a"] for at_s in range(1, count)]
        return lambda: twice({"m1": events, "m2": events}, {})

    require_linear(with_starts, "twice")


@pytest.mark.parametrize(
    ("of_m2", "instances"),
    [((8, 9), []), ((5, 6), []), ((4, 6), ["a"]), ((2, 3), ["a"]), ((3, 3), ["a"]), ((1, 1), []), ((0, 9), ["a"])],
)
def test_an_instance_runs_twice_where_it_runs_on_two_managers_at_a_time(
    of_m2: tuple[int, int], instances: list[str]
) -> None:
    start_s, stop_s = of_m2
    logs = {"m1": [[1, "start", "a"], [5, "stop", "a"]], "m2": [[start_s, "start", "a"], [stop_s, "stop", "a"]]}

    assert twice(logs, {}) == instances
