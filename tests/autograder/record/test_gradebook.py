"""Judged work in nbgrader's gradebook: points, manual grades, feedback, and files that must not stop grading."""

from pathlib import Path

import nbformat
import pytest

from autograder.classroom.marks import StudentMark
from autograder.grading.class_grading import grade_class
from autograder.record.gradebook import NotRecorded, Recorder
from streamlab.notebooks.labfile import LabCell

LAB = "lab99_tiny"
SCRIPT = "<script>document.title='PWNED'</script>"


def graded(tiny_class, recorder: Recorder) -> dict[str, StudentMark]:
    """Judge and record all students; return the marks by student."""
    done = grade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)
    for student in done.students:
        recorder.record(LAB, student)
    return {each.student: each for each in recorder.marks(LAB).students}


def grade_manually(recorder: Recorder, student: str, points: float) -> None:
    """Record a manual grade as the form grader does when the instructor types one."""
    with recorder.open() as gradebook:
        grade = gradebook.find_grade("written-why", LAB, LAB, student)
        grade.manual_score = points
        grade.needs_manual_grade = False
        gradebook.db.commit()


def cell_of(path: Path, grade_id: str) -> nbformat.NotebookNode:
    cells = nbformat.read(path, as_version=4).cells
    return next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def test_the_gradebook_records_the_points_of_the_judge(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")

    marks = graded(tiny_class, recorder)

    assert (marks["ada"].judged_points, marks["ben"].judged_points) == (4, 2)
    assert marks["ada"].submitted_at.isoformat() == "2026-11-20T10:00:00+00:00"


def test_a_check_cell_shows_the_verdicts_without_colour(tiny_class, recorder) -> None:
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    graded(tiny_class, recorder)

    cell = cell_of(tiny_class.classroom.folder / "autograded" / "ben" / LAB / f"{LAB}.ipynb", "check-triple")

    assert "three times the number" in cell.outputs[0].text
    assert "Expected" in cell.outputs[0].text or "expected" in cell.outputs[0].text
    assert "\x1b" not in cell.outputs[0].text
    assert cell.outputs[1].data["text/plain"] == "0.0"


def test_an_empty_answer_gets_0_and_a_written_one_needs_manual_grading(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", why="Because of the log.")
    tiny_class.hand_in_notebook("ben", tiny_class.released)

    marks = graded(tiny_class, recorder)

    assert marks["ada"].written[0].points is None
    assert marks["ada"].needs_manual_grade
    assert marks["ben"].written[0].points == 0
    assert not marks["ben"].needs_manual_grade


def test_a_manual_grade_survives_a_second_grading_and_is_not_needed_again(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", why="Because of the log.")
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 2.5)

    marks = graded(tiny_class, recorder)

    assert marks["ada"].points == 4 + 2.5
    assert not marks["ada"].needs_manual_grade


def test_a_manual_grade_of_a_changed_answer_stays_and_needs_manual_grading_again(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", why="Because of the log.")
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 2.5)
    tiny_class.hand_in("ada", why="Because of something else.")

    marks = graded(tiny_class, recorder)

    assert marks["ada"].written[0].points == 2.5
    assert marks["ada"].written[0].changed_since
    assert marks["ada"].needs_manual_grade


@pytest.mark.parametrize(
    "content",
    [b"", b"no JSON", b'{"cells": [' + b"[" * 90_000, b"\xff\xfe"],
    ids=["empty", "no JSON", "deep", "no UTF-8"],
)
def test_a_file_that_is_not_a_notebook_gets_0_points_with_the_reason(tiny_class, recorder, content: bytes) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("mallory").write_bytes(content)

    marks = graded(tiny_class, recorder)

    assert (marks["ada"].judged_points, marks["mallory"].judged_points) == (4, 0)
    recorded = tiny_class.classroom.folder / "autograded" / "mallory" / LAB / f"{LAB}.ipynb"
    assert "Not read:" in recorded.read_text()


def test_a_link_to_another_students_work_is_recorded_as_rejected(tiny_class, recorder) -> None:
    path = tiny_class.hand_in("ada")
    link = tiny_class.hand_in("mallory")
    link.unlink()
    link.symlink_to(path)

    marks = graded(tiny_class, recorder)

    assert marks["mallory"].judged_points == 0
    assert marks["ada"].judged_points == 4


def test_a_link_to_the_folder_of_a_classmate_is_neither_judged_nor_recorded(tiny_class, recorder) -> None:
    classroom, path = tiny_class.classroom, tiny_class.hand_in("ada")
    (classroom.submitted / "mallory").mkdir()
    (classroom.submitted / "mallory" / LAB).symlink_to(path.parent)

    with pytest.raises(NotRecorded):
        recorder.record(LAB, "mallory")

    assert not classroom.results_of(LAB, "mallory").exists()


def test_the_target_of_a_link_next_to_the_notebook_is_not_copied_and_the_link_is_set_aside(
    tiny_class, recorder
) -> None:
    folder = tiny_class.hand_in("mallory").parent
    (folder / "data.txt").symlink_to(tiny_class.classroom.folder / "gradebook.db")

    graded(tiny_class, recorder)

    assert not (tiny_class.classroom.folder / "autograded" / "mallory" / LAB / "data.txt").exists()
    assert (tiny_class.classroom.folder / "set_aside" / "mallory" / LAB / "data.txt").is_symlink()


def test_no_script_of_a_submission_is_in_the_feedback(tiny_class, recorder) -> None:
    attacks = [LabCell("markdown", f"# {SCRIPT}"), LabCell("code", f"print({SCRIPT!r})")]
    tiny_class.hand_in("mallory", *attacks, double=f"def double(n):\n    raise ValueError({SCRIPT!r})", why=SCRIPT)
    graded(tiny_class, recorder)

    recorder.write_feedback(LAB, "mallory")

    page = (tiny_class.classroom.feedback_of(LAB, "mallory") / f"{LAB}.html").read_text()
    assert "PWNED" in page
    assert ">double</a>: 0 of" in page
    assert SCRIPT not in page


def test_deleted_and_forged_check_cells_give_no_points(tiny_class, recorder) -> None:
    notebook = nbformat.from_dict(tiny_class.released)
    notebook.cells = [cell for cell in notebook.cells if not cell.id.startswith("check-")]
    notebook.cells[1].metadata.setdefault("nbgrader", {})["points"] = 99
    tiny_class.hand_in_notebook("mallory", notebook)

    assert graded(tiny_class, recorder)["mallory"].judged_points == 0


def test_code_that_is_slow_to_highlight_still_gets_a_feedback_page(tiny_class, recorder) -> None:
    slow = "def double(n):\n    return 2 * n\n" + " \n" * 50_000
    tiny_class.hand_in("ada", LabCell("code", "# " + "a." * 50_000), double=slow)
    grade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)
    recorder.record(LAB, "ada")
    recorder.write_feedback(LAB, "ada")

    page = (tiny_class.classroom.feedback_of(LAB, "ada") / f"{LAB}.html").read_text()
    assert "return 2 * n" in page
    assert "double · twice the number" in page


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("See ![my plot](attachment:plot.png).", "my plot (picture, in the notebook as handed in"),
        ("Because. " + "<div>" * 16_000, "Because. &lt;div&gt;&lt;div&gt;"),
        ("See <a href='http://s.org/\"'>this</a>.", "this (<code>http://s.org/"),
    ],
    ids=["a pasted picture", "80 KB of tags", "a link with quotes"],
)
def test_any_written_answer_gets_a_feedback_page(tiny_class, recorder, answer: str, shown: str) -> None:
    tiny_class.hand_in("ada", why=answer)
    grade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)
    recorder.record(LAB, "ada")
    recorder.write_feedback(LAB, "ada")

    page = (tiny_class.classroom.feedback_of(LAB, "ada") / f"{LAB}.html").read_text()
    assert shown in page
