"""Wrong answers that people wrote from the notebooks' text alone lose points, of the checks that catch them.

They stand in tests/wrong_answers/LAB like a lab's mutants, and some of them once kept full marks.
"""

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.judge.batch import judge_all
from autograder.judge.request import Request
from autograder.verify.variants import Variant, mutants_of
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[1]
ANSWERS = ROOT / "tests" / "wrong_answers"


def with_answer(source: str, answer: Variant) -> str:
    """Return the source of a lab with another cell of one task."""
    cells = source.split("\n# %%")
    (own,) = (cell for cell in cells if cell.startswith(f' task="{answer.task}"'))
    return "\n# %%".join(f"{own.splitlines()[0]}\n{answer.code}" if cell is own else cell for cell in cells)


@pytest.mark.slow
@pytest.mark.parametrize("lab", sorted(path.name for path in ANSWERS.iterdir()))
def test_wrong_answers_lose_points_of_the_checks_that_catch_them(lab: str, tmp_path: Path) -> None:
    course, solution, orders = load_course(ROOT), ROOT / "solutions" / lab / f"{lab}.py", []
    answers = mutants_of(ANSWERS / lab, course.labs[lab].tasks, read_lab(solution).cells)
    for answer in answers:
        copy = tmp_path / f"{answer.name}.py"
        copy.write_text(with_answer(solution.read_text(encoding="utf-8"), answer), encoding="utf-8")
        orders.append((copy, Request(ROOT, course, lab=lab, throughput=False, tasks=(answer.task,))))

    for answer, results in zip(answers, judge_all(orders, 1), strict=True):
        checks = results["streamlab"]["checks"]
        lost = {
            each["check"] for each in checks if each["verdict"] in ("fail", "error", "timeout") or each["waits_for"]
        }
        assert answer.killed_by <= lost, answer.name
