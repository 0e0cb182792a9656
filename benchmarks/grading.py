"""Compare stock `nbgrader autograde` with `./lab grade` on ten Lab 1 submissions, in turns: time and memory.

    .venv/bin/python benchmarks/grading.py [--pairs 3] [--submissions 10] [--session plain|partitions|kit]

Stock grades a separate course with asserts in cells, without a sandbox, one submission after the other. Three choices
favour it: its notebook has no live cells, its asserts are all or nothing, and only `autograde` is timed, while `./lab
grade` also writes feedback, the class page and CSV. The kit grades two submissions at a time in its sandbox, without
throughput checks. `--session` selects Spark's session in the stock notebook: Spark's defaults; two shuffle partitions
instead of 200; or the kit's tuned session, which shows how much of the gain comes from tuning. Prints, for one
submission and for all of them, the median ratios with their 95 % bootstrap intervals. Marks are checked after every
run.
"""

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import nbformat

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402
from stock_course import LAB, SESSIONS, environment, make_course, submission  # noqa: E402
from submissions import Handed, reference, submissions  # noqa: E402
from tree_cost import Cost, cost_of  # noqa: E402

from autograder.course import load_course  # noqa: E402

WORKERS = 2
Marks = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Bench:
    """Both classes, ready to be copied and graded."""

    folder: Path
    handed: list[Handed]

    def stock(self) -> Cost:
        """Run stock nbgrader on a fresh copy of its course."""
        course = fresh(self.folder / "stock", self.folder / "stock run")
        cost = cost_of([sys.executable, "-m", "nbgrader", "autograde", LAB], course, environment(), self._log("stock"))
        must_be_right("stock", _marks_of_stock(course), self.handed)
        return cost

    def kit(self) -> Cost:
        """Run `./lab grade` on a fresh copy of the class."""
        classroom = fresh(self.folder / "class", self.folder / "class run")
        command = [sys.executable, "-m", "autograder.cli", "grade", LAB, "--no-throughput", "--workers", str(WORKERS)]
        own = environment() | {"STREAMLAB_CLASS": str(classroom), "STREAMLAB_CALLED_FROM": str(ROOT)}
        cost = cost_of([*command, "--sandbox", "bubblewrap"], ROOT, own, self._log("kit"))
        must_be_right("kit", marks_of_kit(classroom), self.handed)
        return cost

    def _log(self, side: str) -> Path:
        return self.folder / f"{side}.log"


def main() -> None:
    """Measure and print."""
    options = _arguments()
    with tempfile.TemporaryDirectory(prefix="grading-benchmark-") as folder:
        for count in dict.fromkeys((1, options.submissions)):
            bench = _bench(Path(folder, str(count)), count, options.session)
            if count == 1:
                print(f"warm-up: stock {bench.stock()}; kit {bench.kit()}", flush=True)
            _compare(bench, options.pairs)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--submissions", type=int, choices=range(1, 11), default=10, metavar="1…10")
    parser.add_argument("--session", choices=list(SESSIONS), default="plain", help="of the stock notebook")
    return parser.parse_args()


def _compare(bench: Bench, pairs: int) -> None:
    """Run both sides for `pairs` turns, in alternating order, and print the result."""
    stock: list[Cost] = []
    kit: list[Cost] = []
    for number in range(pairs):
        sides = [(bench.stock, stock), (bench.kit, kit)]
        for run, costs in sides if number % 2 else reversed(sides):
            costs.append(run())
        print(f"pair {number + 1}: stock {stock[-1]}; kit {kit[-1]}", flush=True)
    print(_line(len(bench.handed), stock, kit))


def _line(count: int, stock: list[Cost], kit: list[Cost]) -> str:
    """Return the ratio of seconds with its interval, and the medians of all measured values, as text."""
    ratios = [ours.seconds / theirs.seconds for ours, theirs in zip(kit, stock, strict=True)]
    low, high = interval(ratios)
    name = "1 submission" if count == 1 else f"{count} submissions on {WORKERS} workers"
    figures = f"{median(ratios):.2f} (95 % interval {low:.2f} to {high:.2f}, {len(ratios)} pairs)"
    units = {"seconds": "s", "cpu_s": "s of processor time", "peak_mb": "MB at the peak"}
    medians = [f"{_median(kit, field):.1f} / {_median(stock, field):.1f} {unit}" for field, unit in units.items()]
    return f"{name}: kit / stock {figures}; medians {', '.join(medians)}"


def _median(costs: list[Cost], field: str) -> float:
    return float(median(getattr(cost, field) for cost in costs))


def _bench(folder: Path, count: int, session: str) -> Bench:
    handed = submissions(count)
    make_course(folder / "stock", session, reference())
    for each in handed:
        submission(folder / "stock", each.student, each.answers)
        hand_in(folder / "class", each)
    return Bench(folder, handed)


def hand_in(classroom: Path, handed: Handed) -> None:
    """Write the kit's notebook with a student's answers into the class."""
    notebook = nbformat.read(ROOT / "labs" / LAB / f"{LAB}.ipynb", as_version=4)
    for cell in notebook.cells:
        metadata = cell.metadata.get("streamlab", {})
        if metadata.get("role") == "task":
            cell.source = handed.answers[metadata["name"]]
    target = classroom / "submitted" / handed.student / LAB / f"{LAB}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


def fresh(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


def _marks_of_stock(course: Path) -> Marks:
    """Return student -> task -> points from nbgrader's gradebook."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        return {
            each.student.id: {
                grade.name.removeprefix("check-"): grade.auto_score or 0.0 for grade in each.notebooks[0].grades
            }
            for each in book.assignment_submissions(LAB)
        }


def marks_of_kit(classroom: Path) -> Marks:
    """Return student -> task -> points from the kit's stored results."""
    marks: Marks = {}
    for path in (classroom / "results" / LAB).glob("*.json"):
        tests = json.loads(path.read_text(encoding="utf-8"))["results"]["tests"]
        of_task = marks.setdefault(path.stem, {})
        for test in tests:
            task = test["name"].split("/")[1]
            of_task[task] = of_task.get(task, 0.0) + test["score"]
    return marks


def must_be_right(side: str, marks: Marks, handed: list[Handed]) -> None:
    """Raise RuntimeError unless right answers have full marks and wrong ones do not: the comparison relies on it.

    In stock nbgrader, a mistake also costs the tasks that build on it, so those may have any marks.
    """
    tasks = load_course(ROOT).labs[LAB].tasks
    for each in handed:
        for task, rule in tasks.items():
            got, full, wrong = marks[each.student][task], sum(rule.checks.values()), task in each.wrong
            follows = side == "stock" and bool(each.wrong) and not wrong
            if not follows and (got == full) == wrong:
                kind = "wrong" if wrong else "right"
                raise RuntimeError(f"{side}: {each.student}'s {kind} {task} has {got:g} of {full:g} points")


if __name__ == "__main__":
    main()
