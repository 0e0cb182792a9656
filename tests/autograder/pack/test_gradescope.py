"""A zip for Gradescope, run by its own two scripts as root, judges rightly and shows students' code none of itself."""

import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.builder.notebook import reference_notebook
from autograder.classroom.folder import Classroom
from autograder.course import Course, load_course
from autograder.pack.gradescope import container_for, judged_points, pack_for_gradescope
from tests.autograder.pack.conftest import ROOT

LAB = "lab01_wordcount"
SCRIPT_S_MAX = 1_800  # installing takes minutes on a machine that runs other tests, too
# Added to a right answer: it reads what it must not, and answers wrongly if that works or if it is root.
ATTACK = """
import glob
import os
import sys
from pathlib import Path

KIT = Path(sys.prefix).parent
PRIVATE = [
    KIT / "solutions/lab01_wordcount/lab01_wordcount.py",
    KIT / "autograder/stages/lab01_wordcount/counting/oracle.py",
    KIT / "work/class/secret",
    KIT.parent / "submission_metadata.json",
    KIT.parent / "results/results.json",
    *map(Path, glob.glob("/proc/[0-9]*/environ")),
]
LISTED = [KIT, KIT / "solutions", KIT.parent, KIT.parent / "results", KIT.parent / "submission"]


def works(action):
    try:
        action()
    except OSError:
        return False
    return True


def stolen():
    mine = f"/proc/{os.getpid()}/environ"
    assert works(Path(mine).read_bytes), "this attack reads nothing at all"
    own = {each for each in PRIVATE if each.match("/proc/*/environ") and same_account(each)}
    found = [str(each) for each in PRIVATE if each not in own and works(each.read_bytes)]
    found += [str(each) for each in LISTED if works(lambda each=each: os.listdir(each))]
    found += ["results"] if works(lambda: (KIT.parent / "results/results.json").write_text("{}")) else []
    return found + (["root"] if 0 in os.getresuid() + os.getresgid() or works(lambda: os.setuid(0)) else [])


def same_account(path):
    try:
        return path.parent.stat().st_uid == os.getuid()
    except OSError:
        return True


right_words = words


def words(line):
    if found := stolen():
        raise RuntimeError(f"read {found}")
    return right_words(line)
"""


@pytest.fixture(scope="module")
def course() -> Course:
    """The course of this kit."""
    return load_course(ROOT)


def test_the_zip_has_its_scripts_at_the_top_the_secret_for_root_only_and_no_other_lab(
    tmp_path: Path, course: Course
) -> None:
    summary = _packed(tmp_path, course)

    with zipfile.ZipFile(summary) as archive:
        modes = {each.filename: each.external_attr >> 16 & 0o777 for each in archive.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert modes["work/class/secret"] == 0o600
    assert summary.stat().st_mode & 0o777 == 0o600
    assert f"solutions/{LAB}/{LAB}.py" in modes  # a later lab falls back to it
    others = [f"/{lab}/" for lab in course.labs if lab != LAB]
    assert not [name for name in modes if any(other in name for other in others)]
    assert not [name for name in modes if name.endswith(("mutants.py", "alternatives.py", "TEACHING.md"))]


def test_the_container_is_the_smallest_one_in_which_the_limits_leave_room_for_the_judge(course: Course) -> None:
    smaller = course.model_copy(update={"limits": course.limits.model_copy(update={"memory_mb": 1_000})})

    assert container_for(course, LAB) == "2 CPU, 3 GB"
    assert container_for(smaller, LAB) == "1 CPU, 1.5 GB"
    assert container_for(course, LAB, throughput=False) == "0.5 CPU, 0.75 GB"  # measured
    assert container_for(course, "lab03_log", throughput=False) == "2 CPU, 3 GB"


def test_without_throughput_checks_their_points_are_not_expected(tmp_path: Path, course: Course) -> None:
    path = tmp_path / "without.zip"

    pack_for_gradescope(Classroom(ROOT, tmp_path / "class", course), LAB, path, throughput=False)

    assert "no-throughput" in zipfile.ZipFile(path).namelist()
    assert judged_points(course, LAB) - judged_points(course, LAB, throughput=False) == 3


@pytest.fixture(scope="module")
def judge(course: Course) -> Iterator[Callable[[str], dict[str, Any]]]:
    """Return a function that hands in a notebook to a fresh tree, set up by the zip, and returns results.json."""
    folder = Path(tempfile.mkdtemp(prefix="streamlab-gradescope-"))
    folder.chmod(0o755)
    tree = folder / "autograder"
    with zipfile.ZipFile(_packed(folder, course)) as archive:
        for each in archive.infolist():
            Path(archive.extract(each, tree / "source")).chmod(each.external_attr >> 16 & 0o777)
    (tree / "submission_metadata.json").write_text(json.dumps({"users": [{"id": 1, "email": "a@x.org"}]}))
    shutil.copy(tree / "source" / "run_autograder", tree)
    _run(tree / "source" / "setup.sh")

    def results_of(notebook: str) -> dict[str, Any]:
        for name in ("submission", "results"):
            shutil.rmtree(tree / name, ignore_errors=True)
            (tree / name).mkdir()
        (tree / "submission" / "mine.ipynb").write_text(notebook)
        _run(tree / "run_autograder")
        found: dict[str, Any] = json.loads((tree / "results" / "results.json").read_text())
        return found

    yield results_of
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="Gradescope runs its scripts as root")
def test_a_right_answer_gets_all_points_and_can_read_neither_solutions_nor_secret_nor_results(
    judge: Callable[[str], dict[str, Any]], course: Course
) -> None:
    notebook = reference_notebook(ROOT, course, LAB)
    _cell_of(notebook, "words")["source"] += ATTACK

    found = judge(nbformat.writes(notebook))

    failed = [each["output"] for each in found["tests"] if each["status"] != "passed"]
    assert (failed, _points(found)) == ([], course.labs[LAB].judged_points)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="Gradescope runs its scripts as root")
def test_a_wrong_answer_loses_its_points_and_the_starter_all(
    judge: Callable[[str], dict[str, Any]], course: Course
) -> None:
    notebook = reference_notebook(ROOT, course, LAB)
    _cell_of(notebook, "count_words")["source"] += "\n\ndef count_words(lines):\n    return {}\n"

    wrong = judge(nbformat.writes(notebook))
    starter = judge((ROOT / "labs" / LAB / f"{LAB}.ipynb").read_text())

    lost = {each["name"].split("/")[1] for each in wrong["tests"] if each["score"] < each["max_score"]}
    assert lost == {"count_words"}
    assert 0 < _points(wrong) < course.labs[LAB].judged_points
    assert _points(starter) == 0


def _packed(folder: Path, course: Course) -> Path:
    return pack_for_gradescope(Classroom(ROOT, folder / "class", course), LAB, folder / "gradescope.zip").path


def _cell_of(notebook: nbformat.NotebookNode, task: str) -> nbformat.NotebookNode:
    """Return the cell that holds a task."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code" and f"def {task}(" in cell.source)
    return next(cells)


def _points(found: dict[str, Any]) -> float:
    return float(sum(each["score"] for each in found["tests"]))


def _run(script: Path) -> None:
    """Run a script as Gradescope does: with none of this process's Python, and with no namespace at hand."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLAB"))}
    done = subprocess.run([script], env=environment, capture_output=True, text=True, timeout=SCRIPT_S_MAX, check=False)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
