"""A class in the whole cycle: release, submission, grading, manual grading in a browser, regrading, feedback.

Of three students one is right, one is half right, and in the work of one every cell has a script that would change the
page's title. The kit is this one with one small lab; docker/ci/grading.sh grades real labs.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.classroom.folder import Classroom
from autograder.course import load_course
from autograder.record.gradebook import Recorder
from autograder.sandbox.bubblewrap import why_not
from streamlab.notebooks.labfile import LabCell
from tests.autograder import conftest as tiny
from tests.autograder.grading.clustered import LAB, LATER, make_kit
from tests.autograder.tiny_class import SOURCE, TinyClass
from tests.browser.jupyterlab import browser_page, missing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COURSE = f"{tiny.COURSE.replace('points: 4', 'points: 9')}    written: {{why: 3}}\n"
SCRIPT = "<script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\">"
LINK = "[click](javascript:document.title='PWNED')"
PATIENCE_MS = 30_000


@dataclass(frozen=True)
class SmallClass:
    """A kit with one small lab, and the folder of a class."""

    kit: Path
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "STREAMLAB_CLASS": str(self.folder), "PYTHONPATH": str(self.kit)}

    def run(self, module: str, *arguments: str) -> str:
        """Run a module's command line from the root of the kit, as `./lab` and an instructor do; return its output."""
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(
            command, cwd=self.kit, env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def hand_in(self, student: str, *added: LabCell, **answers: str) -> None:
        """Hand in as the tiny class does, with a script in the output of every code cell."""
        path = TinyClass(self.classroom).hand_in(student, *added, **answers)
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": SCRIPT})]
        nbformat.write(notebook, path)

    @property
    def classroom(self) -> Classroom:
        return Classroom(self.kit, self.folder, load_course(self.kit))

    @property
    def recorder(self) -> Recorder:
        return Recorder(self.classroom)

    def marks(self, student: str) -> Any:
        return next(each for each in self.recorder.marks(LAB).students if each.student == student)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> SmallClass:
    """A class whose lab was released with nbgrader's command, handed in, and graded with `./lab grade`."""
    if problem := (missing() or why_not()):
        assert not os.environ.get("CI"), problem
        pytest.skip(problem)
    kit = make_kit(tmp_path_factory.mktemp("kit") / "kit", COURSE, tiny.DRIVE, tiny.CHECKS)
    (kit / "course.yml").write_text((kit / "course.yml").read_text().partition(f"  {LATER}:")[0])
    shutil.copy(ROOT / "nbgrader_config.py", kit)
    (kit / "solutions" / LAB / f"{LAB}.py").write_text(SOURCE)
    small_class = SmallClass(kit, tmp_path_factory.mktemp("class"))
    small_class.run("autograder.cli", "build")
    small_class.run("nbgrader", "generate_assignment", LAB)
    small_class.hand_in("ada", why="Record at a time.")
    small_class.hand_in("ben", double="def double(n):\n    return n")
    scripts = LabCell("markdown", f"# {SCRIPT} {LINK}"), LabCell("code", f"print({SCRIPT!r})")
    small_class.hand_in("mallory", *scripts, double=raising(SCRIPT), why=f"{SCRIPT}\n\n{LINK}")
    small_class.run("autograder.cli", "grade", LAB, "--no-throughput")
    return small_class


def raising(text: str) -> str:
    return f"def double(n):\n    print({text!r})\n    raise ValueError({text!r})"


@contextmanager
def form_grader(graded: SmallClass) -> Iterator[str]:
    """Run `./lab mark` on a free port; yield the address that it prints."""
    command = [sys.executable, "-m", "autograder.cli", "mark", LAB, "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    server = subprocess.Popen(command, cwd=graded.kit, env=graded.environment, text=True, **pipes)
    assert server.stdout is not None
    try:
        yield next(found.group() for line in server.stdout if (found := re.search(r"http://127\S+", line)))
    finally:
        server.terminate()
        threading.Thread(target=server.stdout.read, daemon=True).start()
        server.wait(30)


def open_submission(page: Any, graded: SmallClass, address: str, student: str) -> None:
    """Open one student's page; the form grader's first page sets the cookie that the others need."""
    page.goto(address)
    page.wait_for_selector(f"text={LAB}", timeout=PATIENCE_MS)
    with graded.recorder.open() as gradebook:
        number = gradebook.find_submission_notebook(LAB, LAB, student).id
    page.goto(f"{address.split('/formgrader')[0]}/formgrader/submissions/{number}")
    page.wait_for_selector("text=What the judge found", timeout=PATIENCE_MS)


def test_each_student_gets_the_points_of_the_judge(graded: SmallClass) -> None:
    assert [graded.marks(name).judged_points for name in ("ada", "ben", "mallory")] == [4, 2, 2]


def test_a_manual_grade_typed_into_the_form_grader_survives_a_second_grading(graded: SmallClass) -> None:
    with form_grader(graded) as address, browser_page() as (page, _):
        open_submission(page, graded, address, "ada")
        box = page.locator("input#written-why")
        box.fill("3")
        box.press("Tab")
        wait_for(lambda: graded.marks("ada").written[0].points == 3)

    graded.run("nbgrader", "autograde", LAB, "--force")
    graded.run("autograder.cli", "grade", LAB, "--no-throughput")

    assert graded.marks("ada").points == 4 + 3
    assert not graded.marks("ada").written[0].changed_since


def wait_for(reached: Any, deadline_s: float = 30) -> None:
    end = time.monotonic() + deadline_s
    while not reached():
        assert time.monotonic() < end, "the mark did not reach the gradebook"
        time.sleep(0.1)


def test_no_script_of_a_submission_runs_in_the_form_grader(graded: SmallClass) -> None:
    with form_grader(graded) as address, browser_page() as (page, errors):
        for student in ("ada", "ben", "mallory"):
            open_submission(page, graded, address, student)
            assert active_elements(page) == []
            assert page.title() == LAB
    assert [error for error in errors if "MathJax" not in error] == []  # nbgrader takes it from a public server


def test_no_script_of_a_submission_runs_in_feedback_or_on_the_class_page(graded: SmallClass) -> None:
    graded.run("nbgrader", "generate_feedback", LAB, "--force")
    feedback = [graded.folder / "feedback" / name / LAB / f"{LAB}.html" for name in ("ada", "ben", "mallory")]
    with browser_page() as (page, _):
        for path in [*feedback, graded.folder / f"class-{LAB}.html"]:
            page.goto(path.as_uri())
            assert "PWNED" not in page.title()
            assert active_elements(page) == []
    assert "PWNED" in feedback[2].read_text()


def active_elements(page: Any) -> list[str]:
    """Return elements of the submission on the page that could run scripts or be links."""
    found: list[str] = page.eval_on_selector_all(
        "script, img, a", "all => all.map(e => e.outerHTML).filter(html => html.includes('PWNED'))"
    )
    return found


def test_nbgraders_own_export_writes_the_marks(graded: SmallClass, tmp_path: Path) -> None:
    graded.run("nbgrader", "export", "--to", str(tmp_path / "marks.csv"))

    rows = (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").splitlines()
    assert [row.split(",")[0] for row in rows] == ["student", "ada", "ben", "mallory"]
