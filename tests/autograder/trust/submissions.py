"""Notebooks with one more cell after the reference's, and requests to judge two tasks of each lab."""

from pathlib import Path
from typing import Any

from autograder.builder import reference_notebook
from autograder.course import load_course
from autograder.hostile.attack import Attack
from autograder.hostile.notebooks import Targets, as_notebook
from autograder.judge.batch import judge_all
from autograder.judge.request import Request
from autograder.verify.stubs import null_stubs
from streamlab.notebooks.labfile import read_lab

ROOT = Path(__file__).resolve().parents[3]
AT_ONCE = 2
Results = dict[str, Any]


def judged(lab: str, tasks: tuple[str, ...], cells: dict[str, str], folder: Path, before: str = "") -> list[Results]:
    """Judge a submission for each of these cells, which stands after the reference and the cell `before`."""
    course = load_course(ROOT)
    honest, targets = dict(reference_notebook(ROOT, course, lab)), Targets(folder, folder, ROOT)
    request, orders = Request(ROOT, course, lab=lab, throughput=False, tasks=tasks), []
    for name, cell in cells.items():
        (folder / name).mkdir()
        attack = Attack(name, name, cell, "", lab=lab, tasks=tasks, without=before or "pass")
        orders.append((as_notebook(attack, honest, targets, folder / name / f"{lab}.ipynb"), request))
    return judge_all(orders, AT_ONCE)


def returning(lab: str, tasks: tuple[str, ...], answer: str) -> str:
    """Return a cell in which these tasks, or all their methods, return the same answer."""
    cells = {cell.name: cell for cell in read_lab(ROOT / "solutions" / lab / f"{lab}.py").cells if cell.role == "task"}
    stubs = "\n".join(null_stubs(cells[task])["returns None"] for task in tasks)
    return stubs.replace("return None", f"return {answer}")
