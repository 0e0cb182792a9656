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


def written(*texts: str) -> list[LabCell]:
    """Return cells of the question `why`, as JupyterLab's Split Cell makes them: each has the metadata of the first."""
    return [LabCell("markdown", text, "written", "why") for text in texts]


@pytest.mark.parametrize(
    ("parts", "recorded"),
    [
        (["Because of the log.", "And of the index."], "Because of the log.\n\nAnd of the index."),
        (["PROMPT", "Because."], "Because."),
        (["Because.", "PROMPT\n"], "Because."),  # the last part alone would count as no answer
        (["PROMPT Because.", "Also."], "PROMPT Because.\n\nAlso."),
        (["PROMPT", "PROMPT"], "PROMPT"),
        (["PROMPT", ""], ""),  # an empty answer is not the prompt, so it needs a manual grade
    ],
)
def test_all_parts_of_a_split_written_answer_are_recorded_in_order(tiny_class, parts: list[str], recorded: str) -> None:
    prompt = sources(tiny_class.released)["written-why"]

    notebook = rebuilt(tiny_class.released, written(*(each.replace("PROMPT", prompt) for each in parts)))

    assert sources(notebook)["written-why"] == recorded.replace("PROMPT", prompt)
    assert len(notebook.cells) == len(tiny_class.released.cells)


def test_half_a_surrogate_pair_becomes_its_escape(tiny_class) -> None:
    half = "so \ud83d"
    own = [LabCell("code", half, "task", "double"), LabCell("markdown", half)]

    notebook = rebuilt(tiny_class.released, [*own, *written(half)])

    recorded = sources(notebook)
    assert [recorded[each] for each in ("task-double", "added-0", "written-why")] == ["so \\ud83d"] * 3


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
