"""Wrong answers that people wrote from the notebooks' text alone lose points, of the checks that their files name.

A file of tests/wrong_answers/LAB is TASK__MISTAKE.py: the complete cell of a task. Its first line says the mistake, the
second one which checks catch it. Some of them once kept full marks.
"""

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.judge.batch import judge_all
from autograder.judge.request import Request

ROOT = Path(__file__).resolve().parents[1]
ANSWERS = ROOT / "tests" / "wrong_answers"
CAUGHT_BY = "# caught by: "


def with_answer(lab: str, task: str, answer: str) -> str:
    """Return the source of a lab with another cell of one task."""
    cells = (ROOT / "solutions" / lab / f"{lab}.py").read_text(encoding="utf-8").split("\n# %%")
    (own,) = (cell for cell in cells if cell.startswith(f' task="{task}"'))
    return "\n# %%".join(f"{own.splitlines()[0]}\n{answer}" if cell is own else cell for cell in cells)


@pytest.mark.slow
@pytest.mark.parametrize("lab", sorted(path.name for path in ANSWERS.iterdir()))
def test_wrong_answers_lose_points_of_the_checks_that_their_files_name(lab: str, tmp_path: Path) -> None:
    course, answers, orders = load_course(ROOT), sorted((ANSWERS / lab).glob("*.py")), []
    for answer in answers:
        task, copy = answer.stem.partition("__")[0], tmp_path / answer.name
        copy.write_text(with_answer(lab, task, answer.read_text(encoding="utf-8")), encoding="utf-8")
        orders.append((copy, Request(ROOT, course, lab=lab, throughput=False, tasks=(task,))))

    for answer, results in zip(answers, judge_all(orders, 1), strict=True):
        named = answer.read_text(encoding="utf-8").splitlines()[1].removeprefix(CAUGHT_BY).split(", ")
        checks = results["streamlab"]["checks"]
        lost = {
            each["check"] for each in checks if each["verdict"] in ("fail", "error", "timeout") or each["waits_for"]
        }
        assert set(named) <= lost, answer.name
