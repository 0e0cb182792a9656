"""The feedback page names tasks and questions."""

import nbformat
import pytest
from nbformat import NotebookNode
from traitlets.config import Config

from autograder.record.feedback_page import FORM_GRADER, FeedbackExporter


def _graded(kind: str, name: str, points: float, **more: object) -> NotebookNode:
    about = {"grade": True, "solution": kind == "markdown", "grade_id": name, "points": points, "score": 1.5, **more}
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    return make("text", metadata={"nbgrader": about})


@pytest.fixture
def page() -> str:
    """The page of a notebook with a check, a question and some text."""
    cells = [
        nbformat.v4.new_markdown_cell("# Lab"),
        _graded("code", "check-count_words", 3.0),
        _graded("markdown", "written-why_local_2", 2.0, comment="well said"),
    ]
    config = Config()
    config.HTMLExporter.template_name = "feedback"
    config.HTMLExporter.extra_template_basedirs = [str(FORM_GRADER / "templates")]
    config.HTMLExporter.extra_template_paths = [str(FORM_GRADER / "static/node_modules/bootstrap/dist/css")]
    about = {"notebook": "lab01_wordcount", "score": 3.0, "max_score": 5.0, "late_penalty": 0.5}
    resources = {"nbgrader": about, "inlining": {"css": []}}
    html, _ = FeedbackExporter(config=config).from_notebook_node(nbformat.v4.new_notebook(cells=cells), resources)
    return str(html)


def test_a_check_cell_is_called_by_its_task(page: str) -> None:
    assert '<a href="#check-count_words">count_words</a>: 1.5 of 3 points' in page
    assert "Test cell" not in page


def test_a_question_is_called_by_its_name_with_its_comment(page: str) -> None:
    assert '<a href="#written-why_local_2">Question “why local 2”</a>: 1.5 of 2 points' in page
    assert '<a href="#comment-written-why_local_2">comment</a>' in page
    assert "well said" in page


def test_score_and_late_penalty_come_first(page: str) -> None:
    assert "<h4>lab01_wordcount: 3 of 5 points</h4>" in page
    assert "Late submission: −0.5 points" in page


def test_the_cells_follow_as_on_a_page_of_nbgrader(page: str) -> None:
    assert page.count('class="panel panel-primary nbgrader_cell"') == 2
    assert '<a name="check-count_words"></a>' in page
