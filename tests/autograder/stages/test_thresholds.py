"""The thresholds of throughput checks keep their distance from what was measured in the last complete verification."""

import pytest

from autograder.course import load_course
from autograder.verify.digest import read_verified
from autograder.verify.variants import mutants_of
from tests.autograder.stages.driven_reference import ROOT, STAGES, cells_of

COURSE = load_course(ROOT)
MARGIN = 1.4  # the same work may run that much slower on another day, and must still get its points
RULES = [
    (lab, task.throughput.threshold)
    for lab, entry in COURSE.labs.items()
    for task in entry.tasks.values()
    if task.throughput
]


@pytest.mark.parametrize(("lab", "threshold"), RULES, ids=[lab for lab, _ in RULES])
def test_right_versions_are_well_above_the_threshold_and_wrong_ones_below(lab: str, threshold: float) -> None:
    ratios = read_verified(STAGES / lab)["throughput"]
    mutants = {each.name for each in mutants_of(STAGES / lab, set(COURSE.labs[lab].tasks), cells_of(lab))}

    right = {name: ratio for name, ratio in ratios.items() if name not in mutants}
    assert set(right) - {"reference"}
    assert set(ratios) & mutants
    assert min(right.values()) >= MARGIN * threshold, right
    assert max(ratios[name] for name in set(ratios) & mutants) < threshold
