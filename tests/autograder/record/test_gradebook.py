"""Judged work in nbgrader's gradebook: points, feedback, interruptions, and files that must not stop grading."""

from pathlib import Path

import nbformat
import pytest

from autograder.builder import build
from autograder.classroom.folder import Classroom
from autograder.course import load_course
from autograder.record import manual_grades
from autograder.record.gradebook import NotRecorded, Recorder, reason_in
from autograder.record.gradebook_file import UnusableGradebook
from streamlab.notebooks.labfile import LabCell
from tests.autograder.record.recording import graded, judge, marks_by_student
from tests.autograder.tiny_class import LAB, TinyClass

WRONG = "def double(n):\n    return 7"
SCRIPT = "<script>document.title='PWNED'</script>"


def cell_of(path: Path, grade_id: str) -> nbformat.NotebookNode:
    cells = nbformat.read(path, as_version=4).cells
    return next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def test_the_gradebook_records_the_points_of_the_judge(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")

    marks = graded(tiny_class, recorder)

    assert (marks["ada"].judged_points, marks["ben"].judged_points) == (4, 2)
    assert marks["ada"].submitted_at.isoformat() == "2026-11-20T10:00:00+00:00"


@pytest.mark.parametrize(("counting", "judged"), [("information", 2), ("extra", 4)])
def test_bonus_points_count_only_as_extra_credit(tiny_root, tiny_class, recorder, counting: str, judged: float) -> None:
    course = tiny_root / "course.yml"
    text = course.read_text().replace("checks: {three", "bonus: true, checks: {three").replace("points: 7", "points: 5")
    course.write_text(text.replace('release: "1"', f'release: "1"\nbonus: {counting}'))
    build(tiny_root)
    with_bonus = TinyClass(Classroom(tiny_root, tiny_class.classroom.folder, load_course(tiny_root)))
    with_bonus.hand_in("ada")
    again = Recorder(with_bonus.classroom)
    again.release(LAB)

    mark = graded(with_bonus, again)["ada"]

    assert (mark.judged_points, mark.bonus_points, mark.max_points) == (judged, 2, 5)


def test_the_reason_of_nbgrader_is_the_last_error_that_says_something(tiny_class, recorder) -> None:
    path = tiny_class.hand_in("ada")
    judge(tiny_class)
    path.rename(path.with_name("other.ipynb"))

    with pytest.raises(NotRecorded, match=r"^NbGraderException: No notebooks found"):
        recorder.record(LAB, "ada")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["Traceback …", "a.b.Oops: why", "[ERROR] Please see the the above traceback"], "Oops: why"),
        (["[ERROR] one", "", "two "], "[ERROR] one two"),
        (
            ["RuntimeError: Cannot add or remove cells of x", "a.Error: other"],
            "RuntimeError: Cannot add or remove cells of x",
        ),
        ([], "nbgrader gave no reason"),
    ],
)
def test_the_reason_is_taken_from_the_log(lines: list[str], reason: str) -> None:
    assert reason_in(lines) == reason


def test_a_damaged_gradebook_is_the_reason_for_nbgraders_failure(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada")
    judge(tiny_class)
    tiny_class.classroom.gradebook.write_bytes(b"x" * 9_000)

    for call in (recorder.record, recorder.write_feedback):
        with pytest.raises(UnusableGradebook, match="is damaged"):
            call(LAB, "ada")
    with pytest.raises(UnusableGradebook, match="is damaged"):
        recorder.marks(LAB)


def test_a_result_is_not_recorded_out_of_another_total_than_it_was_judged_with(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada")
    judge(tiny_class)
    course = tiny_class.classroom.root / "course.yml"
    course.write_text(course.read_text().replace("twice_the_number: 2", "twice_the_number: 3").replace("s: 7", "s: 8"))
    recorder = Recorder(Classroom.of_this_kit())
    recorder.release(LAB)

    with pytest.raises(
        NotRecorded, match=f"judged out of 7 points, and the gradebook has 8; `./lab grade {LAB} --again`"
    ):
        recorder.record(LAB, "ada")


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


def test_an_answer_that_may_be_elsewhere_needs_manual_grading_with_a_note(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", LabCell("markdown", "Because of the log."))
    notebook = nbformat.read(tiny_class.hand_in("ben"), as_version=4)
    notebook.cells[-1].source = "Because."
    for cell in notebook.cells:
        cell.metadata, cell.id = nbformat.NotebookNode(), f"own-{len(cell.id)}"
    tiny_class.hand_in_notebook("ben", notebook)
    tiny_class.hand_in("mallory").write_bytes(b"")

    marks = graded(tiny_class, recorder)

    for student, why in (("ada", "in other cells"), ("ben", "not found"), ("mallory", "could not be read")):
        recorder.write_feedback(LAB, student)
        page = (tiny_class.classroom.feedback_of(LAB, student) / f"{LAB}.html").read_text()
        assert (marks[student].written[0].points, marks[student].needs_manual_grade) == (None, True)
        assert "This question needs manual grading" in page
        assert why in page
    assert "The question why needs manual grading" in marks["ada"].results["streamlab"]["notes"][0]


def test_a_judged_student_who_is_not_recorded_counts_as_not_graded(tiny_class, recorder) -> None:
    for student in ("ada", "ben"):
        tiny_class.hand_in(student)
    judge(tiny_class)
    recorder.record(LAB, "ada")

    marks = marks_by_student(recorder)

    assert marks["ada"].results is not None
    assert (marks["ben"].results, marks["ben"].points) == (None, 0)
    assert marks["ben"].submitted_at.isoformat() == "2026-11-20T10:00:00+00:00"


def test_a_student_whose_recording_was_stopped_counts_as_not_graded(tiny_class, recorder, monkeypatch) -> None:
    def stopped(path: Path) -> dict[str, str]:
        raise KeyboardInterrupt

    tiny_class.hand_in("ada")
    judge(tiny_class)
    with monkeypatch.context() as patch:
        patch.setattr(manual_grades, "_read", stopped)
        with pytest.raises(KeyboardInterrupt):
            recorder.record(LAB, "ada")
    with recorder.open() as gradebook:
        assert gradebook.find_grade("check-double", LAB, LAB, "ada").auto_score is None

    assert marks_by_student(recorder)["ada"].results is None
    recorder.record(LAB, "ada")
    assert marks_by_student(recorder)["ada"].points == 4


def test_a_student_whose_new_result_is_not_recorded_yet_counts_as_not_graded(tiny_class, recorder) -> None:
    tiny_class.hand_in("ada", double=WRONG)
    graded(tiny_class, recorder)
    tiny_class.hand_in("ada")
    judge(tiny_class)

    assert marks_by_student(recorder)["ada"].results is None


def test_a_submission_that_is_not_judged_counts_as_handed_in(tiny_class, recorder) -> None:
    (tiny_class.hand_in("ada").parent / "timestamp.txt").unlink()

    mark = marks_by_student(recorder)["ada"]

    assert mark.results is None
    assert mark.submitted_at is not None


def test_half_a_surrogate_pair_does_not_stop_recording_and_is_shown_as_its_escape(tiny_class, recorder) -> None:
    path = tiny_class.hand_in("ada", LabCell("markdown", "added HALF"), why="Because HALF.")
    path.write_text(path.read_text().replace("HALF", "\\ud83d"))

    mark = graded(tiny_class, recorder)["ada"]
    recorder.write_feedback(LAB, "ada")

    page = (tiny_class.classroom.feedback_of(LAB, "ada") / f"{LAB}.html").read_text()
    assert mark.judged_points == 4
    assert "Because \\ud83d." in page
    assert "added \\ud83d" in page


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
    path = tiny_class.hand_in("mallory", double="def double(n):\n    return n")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.id != "check-triple"]
    forged = next(cell for cell in notebook.cells if cell.id == "check-double")
    forged.source, forged.metadata.nbgrader["points"] = "100", 99
    nbformat.write(notebook, path)

    assert graded(tiny_class, recorder)["mallory"].judged_points == 2


def test_code_that_is_slow_to_highlight_still_gets_a_feedback_page(tiny_class, recorder) -> None:
    slow = "def double(n):\n    return 2 * n\n" + " \n" * 50_000
    tiny_class.hand_in("ada", LabCell("code", "# " + "a." * 50_000), double=slow)
    graded(tiny_class, recorder)
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
    graded(tiny_class, recorder)
    recorder.write_feedback(LAB, "ada")

    page = (tiny_class.classroom.feedback_of(LAB, "ada") / f"{LAB}.html").read_text()
    assert shown in page
