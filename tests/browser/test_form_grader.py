"""A class through the whole cycle: released, handed in, graded, marked by hand in a browser, graded again, given back.

Three students: one right, one half right, one whose every cell carries a script that would change the page's title.
"""

import dataclasses
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.classroom.folder import Classroom
from autograder.record.gradebook import Recorder
from autograder.record.reconstruction import rebuilt
from autograder.sandbox.bubblewrap import why_not
from streamlab.notebooks.labfile import LabCell, read_lab
from tests.browser.jupyterlab import browser_page, missing

ROOT = Path(__file__).resolve().parents[2]
LAB = "lab01_wordcount"
SCRIPT = "<script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\">"
LINK = "[click](javascript:document.title='PWNED')"
PATIENCE_MS = 30_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that was released with nbgrader's own command, handed in, and graded with `./lab grade`."""
    if problem := (missing() or why_not()):
        assert not os.environ.get("CI"), problem
        pytest.skip(problem)
    folder = tmp_path_factory.mktemp("class")
    run(folder, "nbgrader", "generate_assignment", LAB)
    hand_in(folder, "ada", choose_a_model="Record at a time.")
    hand_in(folder, "ben", words="def words(line):\n    return line.split()")
    hand_in(folder, "mallory", words=raising(SCRIPT), choose_a_model=f"{SCRIPT}\n\n{LINK}", dbms_same_question=SCRIPT)
    run(folder, "autograder.cli", "grade", LAB, "--no-throughput")
    return folder


def run(folder: Path, module: str, *arguments: str) -> str:
    """Run a module's command line from the root of the kit, as `./lab` and an instructor do; its output."""
    environment = {**os.environ, "STREAMLAB_CLASS": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def raising(text: str) -> str:
    return f"def words(line):\n    print({text!r})\n    raise ValueError({text!r})"


def hand_in(folder: Path, student: str, **answers: str) -> None:
    """The reference, with some answers replaced, as a student's notebook; a script in a cell and in its output."""
    cells = [each for each in read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells if each.role == "task"]
    cells = [dataclasses.replace(cell, source=answers.pop(cell.name or "", cell.source)) for cell in cells]
    cells += [LabCell("markdown", text, "written", name) for name, text in answers.items()]
    if student == "mallory":
        cells += [LabCell("markdown", f"# {SCRIPT} {LINK}"), LabCell("code", f"print({SCRIPT!r})")]
    notebook = rebuilt(nbformat.read(ROOT / "labs" / LAB / f"{LAB}.ipynb", as_version=4), cells)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": SCRIPT})]
    path = folder / "submitted" / student / LAB / f"{LAB}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


@contextmanager
def form_grader(folder: Path) -> Iterator[str]:
    """`./lab mark` on a free port; gives the address that it prints."""
    environment = {**os.environ, "STREAMLAB_CLASS": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "autograder.cli", "mark", LAB, "--no-browser"]
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert server.stdout is not None
    try:
        yield next(found.group() for line in server.stdout if (found := re.search(r"http://127\S+", line)))
    finally:
        server.terminate()
        threading.Thread(target=server.stdout.read, daemon=True).start()
        server.wait(30)


def open_submission(page: Any, folder: Path, address: str, student: str) -> None:
    """One student's page; the form grader's first page sets the cookie that the others want."""
    page.goto(address)
    page.wait_for_selector(f"text={LAB}", timeout=PATIENCE_MS)
    with recorder(folder).open() as gradebook:
        number = gradebook.find_submission_notebook(LAB, LAB, student).id
    page.goto(f"{address.split('/formgrader')[0]}/formgrader/submissions/{number}")
    page.wait_for_selector("text=What the judge found", timeout=PATIENCE_MS)


def recorder(folder: Path) -> Recorder:
    return Recorder(Classroom(ROOT, folder, Classroom.of_this_kit().course))


def marks(folder: Path, student: str) -> Any:
    return next(each for each in recorder(folder).marks(LAB).students if each.student == student)


def test_each_gets_the_points_of_the_judge(folder: Path) -> None:
    assert [marks(folder, name).judged_points for name in ("ada", "ben", "mallory")] == [31, 28, 25]


def test_a_mark_typed_into_the_form_grader_survives_a_second_grading(folder: Path) -> None:
    with form_grader(folder) as address, browser_page() as (page, _):
        open_submission(page, folder, address, "ada")
        box = page.locator("input#written-choose_a_model")
        box.fill("3")
        box.press("Tab")
        wait_for(lambda: marks(folder, "ada").written[0].points == 3)

    run(folder, "nbgrader", "autograde", LAB, "--force")
    run(folder, "autograder.cli", "grade", LAB, "--no-throughput")

    assert marks(folder, "ada").points == 31 + 3
    assert not marks(folder, "ada").written[0].changed_since


def wait_for(reached: Any, deadline_s: float = 30) -> None:
    end = time.monotonic() + deadline_s
    while not reached():
        assert time.monotonic() < end, "the mark did not reach the gradebook"
        time.sleep(0.1)


def test_no_script_of_a_submission_runs_in_the_form_grader(folder: Path) -> None:
    with form_grader(folder) as address, browser_page() as (page, errors):
        for student in ("ada", "ben", "mallory"):
            open_submission(page, folder, address, student)
            assert acting(page) == []
            assert page.title() == LAB
    assert [error for error in errors if "MathJax" not in error] == []  # nbgrader takes it from a public server


def test_no_script_of_a_submission_runs_in_feedback_or_on_the_class_page(folder: Path) -> None:
    run(folder, "nbgrader", "generate_feedback", LAB, "--force")
    feedback = [folder / "feedback" / name / LAB / f"{LAB}.html" for name in ("ada", "ben", "mallory")]
    with browser_page() as (page, _):
        for path in [*feedback, folder / f"class-{LAB}.html"]:
            page.goto(path.as_uri())
            assert "PWNED" not in page.title()
            assert acting(page) == []
    assert "PWNED" in feedback[2].read_text()


def acting(page: Any) -> list[str]:
    """Elements on the page that came from the submission and would act."""
    found: list[str] = page.eval_on_selector_all(
        "script, img, a", "all => all.map(e => e.outerHTML).filter(html => html.includes('PWNED'))"
    )
    return found


def test_nbgraders_own_export_writes_the_marks(folder: Path, tmp_path: Path) -> None:
    run(folder, "nbgrader", "export", "--to", str(tmp_path / "marks.csv"))

    rows = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert [row.split(",")[0] for row in rows] == ["student", "ada", "ben", "mallory"]
