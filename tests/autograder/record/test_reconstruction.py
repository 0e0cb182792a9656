"""The rebuilt notebook of any submission has every released cell once, with the student's answers."""

import copy

import nbformat
import pytest

from autograder.record.reconstruction import ADDED_CELLS_MAX, SOURCE_CHARS_MAX, rebuilt, rejected
from streamlab.notebooks.labfile import LabCell


def sources(notebook: nbformat.NotebookNode) -> dict[str, str]:
    return {cell.id: cell.source for cell in notebook.cells}


def cells_of(notebook: nbformat.NotebookNode) -> list[LabCell]:
    return [
        LabCell(
            "code" if cell.cell_type == "code" else "markdown",
            cell.source,
            cell.metadata.get("streamlab", {}).get("role"),
            cell.metadata.get("streamlab", {}).get("name"),
        )
        for cell in notebook.cells
    ]


def test_an_unchanged_notebook_is_rebuilt_as_it_was_released(tiny_class) -> None:
    assert rebuilt(tiny_class.released, cells_of(tiny_class.released)) == tiny_class.released


def test_answers_are_taken_over_and_locked_cells_stay_as_released(tiny_class) -> None:
    handed_in = cells_of(tiny_class.released)
    mine = [LabCell("code", "mine", each.role, each.name) for each in handed_in if each.role in ("task", "check")]

    result = sources(rebuilt(tiny_class.released, mine))

    assert result["task-double"] == "mine"
    assert result["check-double"] == 'check("double")'


@pytest.mark.parametrize("order", ["reversed", "doubled", "gone"])
def test_moved_doubled_and_deleted_cells_change_nothing(tiny_class, order: str) -> None:
    cells = cells_of(tiny_class.released)
    handed_in = {"reversed": cells[::-1], "doubled": cells + cells, "gone": []}[order]

    assert sources(rebuilt(tiny_class.released, handed_in)) == sources(tiny_class.released)


def test_added_cells_follow_the_same_cell_as_in_the_submission(tiny_class) -> None:
    cells = cells_of(tiny_class.released)
    at = next(at for at, cell in enumerate(cells) if cell.role == "task")

    result = rebuilt(tiny_class.released, [*cells[: at + 1], LabCell("code", "x = 1"), *cells[at + 1 :]])

    ids = [cell.id for cell in result.cells]
    assert ids[ids.index("task-double") + 1] == "added-0"


def test_outputs_attachments_and_foreign_metadata_are_dropped(tiny_class) -> None:
    before = copy.deepcopy(tiny_class.released)
    result = rebuilt(tiny_class.released, [LabCell("code", "x", options={"evil": "1"}, id="<script>")])

    assert result.cells[0].id == "added-0"
    assert result.cells[0].metadata == {}
    assert tiny_class.released == before


def test_too_many_cells_and_giant_cells_are_cut(tiny_class) -> None:
    result = rebuilt(tiny_class.released, [LabCell("code", "y" * (2 * SOURCE_CHARS_MAX))] * (2 * ADDED_CELLS_MAX))

    assert len(result.cells) == len(tiny_class.released.cells) + ADDED_CELLS_MAX
    assert "400,000 characters in all" in result.cells[0].source


def test_a_rejected_notebook_is_the_released_one_and_says_why(tiny_class) -> None:
    result = rejected(tiny_class.released, "not JSON")

    assert result.cells[0].source == "Not read: not JSON"
    assert result.cells[1:] == tiny_class.released.cells
    nbformat.validate(result)
