"""A test double, a comparator, a baseline or the library of a lab, handed in as a task, earns nothing.

Exceptions are in `EARNS`, and in a table of docs/instructors.md. They are right for some checks, as a simple or a slow
version by a student would be.
"""

from collections.abc import Iterator
from functools import partial

import pytest

from autograder.course import load_course
from autograder.judge.outcomes import Driven
from autograder.judge.request import Request
from autograder.verify.bench import Bench
from autograder.verify.interest import OpenChecks
from autograder.verify.parts import STUB_WAITS_S
from autograder.verify.work import Order, Sandboxes
from tests.autograder.trust.other_names import ROOT, Candidate, candidates_of

COURSE = load_course(ROOT)
SANDBOXES = 2
SLOW, SIMPLE = "right, but not fast", "right for some promises only"
EARNS = {  # lab: {(task, definition): (points at most, why)}
    "lab01_wordcount": {
        ("words", "baselines.slides_pipeline"): (3, SIMPLE),
        ("count_words", "baselines.slides_pipeline"): (5, SLOW),
    },
    "lab02_windows": {("SlidingSum", "baselines.recompute"): (4, SLOW)},
    "lab05_placement": {("heal", "orchestrator.drive_rule.in_threes"): (2, SIMPLE)},
    "lab06_enrichment": {("enrich_async", "baselines.one_call_in_flight"): (6, SLOW)},
    "lab09_system": {("Desk", "baselines.plain_desk"): (4, SIMPLE)},
}


def points_of(lab: str) -> dict[tuple[str, str], float]:
    """Return the points of each candidate in its task: (task, definition) -> points."""
    bench = Bench(lab, Request(ROOT, COURSE, lab=lab, throughput=False, sandbox="process"))
    points: dict[tuple[str, str], float] = {}

    def count(candidate: Candidate, driven: Driven) -> None:
        assert not driven.notes, (candidate.name, driven.notes)  # otherwise, the reference would be judged
        points[candidate.task, candidate.name] = sum(mark.points for mark in bench.marks(driven, [candidate.task]))

    def orders() -> Iterator[Order]:
        for each in candidates_of(lab, bench.tasks):
            order = bench.order("candidates", each.cell, [each.task], partial(count, each))
            order.version.limit_s, order.version.longest_wait_s = bench.short_patience_s, STUB_WAITS_S
            order.version.interest = OpenChecks(bench.stage.of_task(each.task), bench.plan())
            yield order

    with Sandboxes(bench.setting(), SANDBOXES) as sandboxes:
        sandboxes.carry_out(orders())
    return points


@pytest.mark.slow
@pytest.mark.parametrize("lab", COURSE.labs)
def test_nothing_that_the_kit_defines_for_another_purpose_earns_points_as_a_task(lab: str) -> None:
    most = {key: points for key, (points, _) in EARNS.get(lab, {}).items()}

    assert {key: points for key, points in points_of(lab).items() if points > most.get(key, 0)} == {}


def test_the_guide_for_instructors_lists_the_most_that_each_task_can_earn_in_this_way() -> None:
    section = (ROOT / "docs/instructors.md").read_text("utf-8").partition("defines for another purpose")[2]
    rows = [line.split("|")[1:-1] for line in section.partition("\n### ")[0].splitlines() if line.startswith("| ")]
    documented = {(int(lab), task.strip(" `")): float(points) for lab, task, _, points in rows[1:]}
    most: dict[tuple[int, str], float] = {}
    for lab, earns in EARNS.items():
        for (task, _), (points, _) in earns.items():
            most[int(lab[3:5]), task] = max(points, most.get((int(lab[3:5]), task), 0))

    assert documented == most
