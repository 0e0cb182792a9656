"""The student's notebook has stubs in place of solutions, loses nothing else and leaks nothing."""

import ast
import json

import pytest

from autograder.builder import reference_notebook
from autograder.builder.leaks import leaks
from autograder.builder.release import released, stub
from autograder.course import load_course
from tests.autograder.builder.small_course import SmallCourse


def _student_cells(small: SmallCourse) -> dict[str, str]:
    notebook = reference_notebook(small.root, load_course(small.root), "lab01_small")
    text = released({"lab01_small": notebook})["lab01_small"]
    return {cell["id"]: "".join(cell["source"]) for cell in json.loads(text)["cells"]}


def test_a_task_keeps_its_signature_and_docstring_and_raises_its_todo(small: SmallCourse) -> None:
    cells = _student_cells(small)

    assert cells["task-double"] == (
        'def double(n: int) -> int:\n    """Twice `n`."""\n'
        '    raise NotImplementedError("double: return twice the number, as an integer")'
    )


def test_a_written_question_stays_and_says_where_to_write(small: SmallCourse) -> None:
    cells = _student_cells(small)

    assert cells["written-why"].startswith("**Why?** Worth 3 points.")
    assert "Write your answer below this line" in cells["written-why"]


def test_placeholders_in_prose_are_filled_from_the_course_and_the_stage(small: SmallCourse) -> None:
    small.change("# You see:", "# {checks}\n#\n# Release {release}, but `{n}` stays.")
    cells = _student_cells(small)

    assert cells["prose-1"] == (
        "# Small numbers\n\nIt takes ~10 minutes and gives 9 points.\n\n1. Even stays even.\n2. Odd does not."
    )
    assert "| `double` | it doubles | 2 |" in cells["prose-2"]
    assert "| `halve` | throughput check: 1.5 times the rate of the baseline | 1 |" in cells["prose-2"]
    assert "Release 2026.1, but `{n}` stays." in cells["prose-2"]


@pytest.mark.parametrize("length", [3, 60, 79, 80, 81, 200, 400])
def test_a_stub_of_any_length_raises_its_whole_text_and_its_lines_fit(length: int) -> None:
    todo = ('say "hello" with a \\ and é; ' * 20)[:length].strip()

    code = stub("greet", todo)

    with pytest.raises(NotImplementedError) as raised:
        exec(code)
    assert str(raised.value) == f"greet: {todo}"
    assert max(len(line) for line in code.split("\n")) <= 116
    ast.parse(code)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("### BEGIN SOLUTION", "still has BEGIN SOLUTION"),
        ("### BEGIN HIDDEN TESTS", "still has BEGIN HIDDEN TESTS"),
        ("# {invariants}", "still has {invariants}"),
        ("def mine(n):\n    return n + n", "has a line of a solution: return n + n"),
    ],
)
def test_a_notebook_that_shows_markers_or_solutions_is_rejected(small: SmallCourse, source: str, sentence: str) -> None:
    notebook = json.dumps({"cells": [{"id": "added", "source": source, "outputs": []}]})

    assert leaks(small.root, "lab01_small", notebook) == [f"labs/lab01_small/lab01_small.ipynb: {sentence}"]


def test_a_notebook_with_outputs_is_rejected(small: SmallCourse) -> None:
    notebook = json.dumps({"cells": [{"id": "show-1", "source": "", "outputs": [{"text": "42"}]}]})

    assert leaks(small.root, "lab01_small", notebook) == ["labs/lab01_small/lab01_small.ipynb: cell show-1 has outputs"]


def test_an_error_of_nbgrader_is_raised_with_its_reason(small: SmallCourse) -> None:
    notebook = reference_notebook(small.root, load_course(small.root), "lab01_small")
    notebook.cells[-1].metadata.nbgrader.grade_id = "task-double"

    with pytest.raises(
        RuntimeError, match=r"(?s)nbgrader could not generate lab01_small.*Duplicate grade id: task-double"
    ):
        released({"lab01_small": notebook})
