"""The oracle of `Autoscaler` against the trace of the text and hand-made stories; the replay of a day."""

import pytest

from autograder.stages.lab09_system.scaling import cases, oracle
from autograder.stages.lab09_system.scaling.checks import _day
from autograder.stages.lab09_system.scaling.drive_stubs import LargestOfAll, Shelf, play
from streamlab.lab09_system import ScaleRules
from streamlab.lab09_system.virtual import back_s
from tests.autograder.stages.driven_reference import reference

RULES = [70, 60, 3, 1, 8, 250]
QUIET = [0, 500, 0, []]


def case(*ticks: list[object], rules: list[int] = RULES) -> dict[str, object]:
    return {"rules": rules, "ticks": [list(tick) for tick in ticks]}


def test_the_trace_of_the_text() -> None:
    busy, behind = [1000, 500, 0, []], [1000, 500, 60_000, []]

    assert oracle.needs(case(busy, behind, QUIET, QUIET, QUIET)) == [3, 4, 4, 4, 1]


def test_a_hole_is_filled_before_a_worker_is_added() -> None:
    four = [400, 100, 0, []]
    story = case(four, [400, 100, 0, ["desk-1"]], rules=[100, 60, 1, 1, 8, 500])

    assert oracle.packed(story)[1] == [{"desk-2": 0, "desk-5": 0, "desk-3": 1, "desk-4": 1}, 2]


@pytest.mark.parametrize(
    ("arrivals", "service_ms", "buffer", "blocked"),
    [([0, 0, 0], 10, 0, 20), ([0, 0, 0], 10, 2, 0), ([0, 0, 0], 10, 1, 10), ([0, 10, 20], 10, 0, 0), ([], 5, 1, 0)],
)
def test_a_producer_waits_for_a_full_buffer(arrivals: list[int], service_ms: int, buffer: int, blocked: int) -> None:
    assert oracle._blocked(arrivals, service_ms, buffer) == blocked


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ({}, "Packed"),
        ({"decisions": [[0, [{"desk-1": "0"}, 1]]]}, "Packed"),
        ({"decisions": [[5, [{"desk-1": 0}, 1]]]}, "an answer to each tick"),
        ({"decisions": [[0, [{f"desk-{at}": 0 for at in range(12)}, 1]]]}, "at most 4 instances"),
        ({"decisions": [[0, [{"desk-1": 0}, 1]]]}, "at most 110 s"),
        ({"decisions": [[0, [{f"desk-{at}": at for at in range(12)}, 0]]]}, "does not come back"),
    ],
    ids=["none", "a text", "late", "all on one worker", "too few", "more workers than it says, and no new ones"],
)
def test_invented_decisions_do_not_pass_the_day(rows: dict[str, object], reason: str) -> None:
    wrong = _day(cases.days("a seed")[0], rows)

    assert wrong is not None
    assert reason in wrong.sentence


@pytest.mark.parametrize("day", cases.DAYS)
def test_a_day_without_a_reserve_falls_behind(day: str) -> None:
    made, lab = cases.days("a seed")[0], reference("lab09_system")

    def without_reserve(rules: ScaleRules) -> object:
        return lab.Autoscaler(rules._replace(busy_percent=100))

    with lab.replaced(SlidingMax=LargestOfAll, FirstFit=Shelf):
        system = play(without_reserve, day, made["plan"], made["end_s"])

    assert back_s(system)["hot-key"] is None
