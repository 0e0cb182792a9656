"""The feedback as a notebook has points and comments where they belong, and Jupyter can open it."""

import nbformat
from nbgrader.api import Comment

from autograder.record.feedback_notebook import feedback_notebook
from autograder.record.gradebook import Recorder
from tests.autograder.record.recording import grade_manually, graded
from tests.autograder.tiny_class import LAB, TinyClass


def notebook_of(tiny_class: TinyClass, recorder: Recorder, student: str) -> nbformat.NotebookNode:
    with recorder.open() as gradebook:
        content = feedback_notebook(tiny_class.classroom, gradebook, LAB, student)
    assert content is not None
    notebook = nbformat.reads(content.decode(), as_version=4)
    nbformat.validate(notebook)
    return notebook


def comment(recorder: Recorder, student: str, text: str) -> None:
    with recorder.open() as gradebook:
        submission = gradebook.find_submission_notebook(LAB, LAB, student)
        cell = next(each for each in submission.notebook.assignment.notebooks[0].solution_cells if "why" in each.name)
        found = next((each for each in submission.comments if each.cell_id == cell.id), None)
        if found is None:
            found = Comment(cell=cell, notebook=submission)
            gradebook.db.add(found)
        found.manual_comment = text
        gradebook.db.commit()


def test_points_and_comments_are_above_their_cells(tiny_class: TinyClass, recorder: Recorder) -> None:
    tiny_class.hand_in("ada", triple="def triple(n):\n    return n", why="Because.")
    graded(tiny_class, recorder)
    grade_manually(recorder, "ada", 1.5)
    comment(recorder, "ada", "Say more.")

    notebook = notebook_of(tiny_class, recorder, "ada")

    sources = [cell.source for cell in notebook.cells]
    assert sources[0].splitlines() == [
        f"# {LAB}: 3.5 of 7 points",
        "",
        "- `double`: 2 of 2 points",
        "- `triple`: 0 of 2 points",
        "- Question “why”: 1.5 of 3 points (with a comment)",
    ]
    at = sources.index("**`triple`: 0 of 2 points**")
    assert sources[at + 1] == 'check("triple")'
    assert "**Question “why”: 1.5 of 3 points**\n\nComment: Say more." in sources
    assert "three times the number" in str(notebook.cells[at + 1].outputs)


def test_an_answer_without_a_manual_grade_says_so(tiny_class: TinyClass, recorder: Recorder) -> None:
    tiny_class.hand_in("ada", why="Because.")
    graded(tiny_class, recorder)

    notebook = notebook_of(tiny_class, recorder, "ada")

    assert "- Question “why”: 0 of 3 points, needs manual grading" in notebook.cells[0].source


def test_a_student_without_recorded_work_has_no_notebook(tiny_class: TinyClass, recorder: Recorder) -> None:
    with recorder.open() as gradebook:
        assert feedback_notebook(tiny_class.classroom, gradebook, LAB, "ada") is None
