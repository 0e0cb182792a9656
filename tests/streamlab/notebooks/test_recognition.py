"""The kit's cells are recognized in notebooks of all labs, whatever editors do to metadata, ids, and cell types."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from streamlab.notebooks.labfile import LabCell, lab_of_bytes, read_lab, reference_cells
from streamlab.notebooks.recognition import key_of, recognized, runs, unclear_questions, without_spare_stubs

ROOT = Path(__file__).resolve().parents[3]
LABS = sorted(path.name for path in (ROOT / "labs").iterdir())
LAB = "lab01_wordcount"
ANSWER = "\n\nBatch, since nobody waits for an invoice."
RawCell = dict[str, Any]
Edit = Callable[[list[RawCell]], None]


def released(lab: str) -> list[LabCell]:
    return read_lab(ROOT / "labs" / lab / f"{lab}.ipynb").cells


def solved(lab: str) -> list[RawCell]:
    """Return the cells of a solved notebook, with an answer below each question."""
    right = {cell.name: cell.source for cell in reference_cells(ROOT, lab) if cell.role == "task"}
    cells: list[RawCell] = json.loads((ROOT / "labs" / lab / f"{lab}.ipynb").read_text())["cells"]
    for cell in cells:
        role, _, name = cell["id"].partition("-")
        source = "".join(cell["source"])
        cell["source"] = right[name] if role == "task" else source + ANSWER * (role == "written")
    return cells


def read(cells: list[RawCell], lab: str = LAB) -> list[LabCell]:
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    return recognized(lab_of_bytes(json.dumps(notebook).encode(), Path("lab.ipynb")).cells, released(lab))


def loses_metadata(cells: list[RawCell]) -> None:
    for cell in cells:
        cell["metadata"] = {}


def loses_ids(cells: list[RawCell]) -> None:
    for cell in cells:
        del cell["id"]


def loses_both(cells: list[RawCell]) -> None:
    loses_metadata(cells)
    loses_ids(cells)


def saves_as_colab_does(cells: list[RawCell]) -> None:
    for at, cell in enumerate(cells):
        cell["metadata"] = {"id": f"Xy{at}zQ", "colab": {"base_uri": "https://localhost/"}}
        del cell["id"]


def keeps_nbgraders_part(cells: list[RawCell]) -> None:
    for cell in cells:
        cell["metadata"].pop("streamlab", None)
        cell["id"] = "x"


def keeps_half(cells: list[RawCell]) -> None:
    for cell in cells[::2]:
        cell["metadata"], cell["id"] = {}, "x"


def loses_names(cells: list[RawCell]) -> None:
    for cell in cells:
        cell["metadata"] = {"streamlab": {"role": cell["metadata"].get("streamlab", {}).get("role")}}


def swaps_ids(cells: list[RawCell]) -> None:
    loses_metadata(cells)
    ids = [cell["id"] for cell in cells]
    for cell, other in zip(cells, [*ids[1:], ids[0]], strict=True):
        cell["id"] = other


def doubles_ids(cells: list[RawCell]) -> None:
    loses_metadata(cells)
    for cell in cells:
        cell["id"] = cells[6]["id"]


def ends_lines_as_windows_does(cells: list[RawCell]) -> None:
    loses_both(cells)
    for cell in cells:
        cell["source"] = "".join(cell["source"]).replace("\n", "\r\n")


def strips_and_adds_spaces(cells: list[RawCell]) -> None:
    loses_both(cells)
    for cell in cells:
        source = "".join(cell["source"])
        cell["source"] = "\n" + source.replace("\n", " \n").replace(" a ", "\N{NO-BREAK SPACE}a ") + "\n\n"


def makes_prose_code(cells: list[RawCell]) -> None:
    for cell in cells:
        cell["cell_type"] = "code"


def times_what_is_shown(cells: list[RawCell]) -> None:
    for cell in cells:
        is_long = cell["source"].count("\n") >= 4
        cell["source"] = "%%time\n" * (is_long and cell["id"].startswith("show")) + cell["source"]
    loses_both(cells)


OF_METADATA = (
    loses_metadata,
    loses_ids,
    loses_both,
    saves_as_colab_does,
    keeps_nbgraders_part,
    keeps_half,
    loses_names,
)
OF_THE_REST = (swaps_ids, doubles_ids, ends_lines_as_windows_does, strips_and_adds_spaces, makes_prose_code)
EDITS = (times_what_is_shown, *OF_METADATA, *OF_THE_REST)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("lab", LABS)
def test_every_cell_of_a_solved_notebook_is_recognized(lab: str, edit: Edit) -> None:
    cells = solved(lab)
    edit(cells)
    found = read(cells, lab)

    assert [key_of(cell) for cell in found] == [key_of(cell) for cell in released(lab)]
    assert [runs(cell) for cell in found] == [runs(cell) for cell in released(lab)]
    assert unclear_questions(found, released(lab)) == {}


def own(source: str, kind: str = "code", **marks: Any) -> RawCell:
    return {"cell_type": kind, "metadata": {}, "source": source, **marks}


def numbered(cells: list[RawCell], cell_id: str) -> int:
    return next(at for at, cell in enumerate(cells) if cell["id"] == cell_id)


@pytest.mark.parametrize("source", ["def words(line):\n    return line.split()", "words = lambda line: line.split()"])
@pytest.mark.parametrize("step", [0, 1], ids=["above", "below"])
def test_a_task_in_a_new_cell_takes_the_place_of_the_untouched_stub(source: str, step: int) -> None:
    cells = json.loads((ROOT / "labs" / LAB / f"{LAB}.ipynb").read_text())["cells"]
    cells.insert(numbered(cells, "task-words") + step, own(source))
    loaded = without_spare_stubs(read(cells), released(LAB))

    assert [cell.source for cell in loaded if runs(cell)].count(source) == 1
    assert not any(cell.source.startswith("def words(line: str)") for cell in loaded)


def test_a_stub_stays_without_another_cell_that_defines_the_task() -> None:
    assert without_spare_stubs(released(LAB), released(LAB)) == released(LAB)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("GAP = 1", "code"),
        ("def helper(line):\n    return line", "code"),
        ("import re\nPATTERN = re.compile('x')", "code"),
        ('# mine\nprint(words("to be"))\ncheck("words") or helper()', "code"),
        ("I think that it counts twice.", "markdown"),
    ],
)
def test_what_is_not_of_the_kit_is_the_learners_own(source: str, kind: str) -> None:
    cells = solved(LAB)
    saves_as_colab_does(cells)

    assert key_of(read([*cells, own(source, kind)])[-1]) == (None, None)


@pytest.mark.parametrize("role", ["show-1", "check-words", "given-setup"])
def test_a_copy_of_a_locked_cell_with_other_code_is_the_learners_own(role: str) -> None:
    cells = solved(LAB)
    copy = {**cells[numbered(cells, role)], "id": "x", "source": "def helper(line):\n    return line"}

    assert [(each.role, runs(each)) for each in read([*cells, copy]) if each.source == copy["source"]] == [(None, True)]


def test_a_variant_of_a_show_cell_does_not_run() -> None:
    cells = solved(LAB)
    at = numbered(cells, "show-2")
    found = read([*cells, {**cells[at], "source": "".join(cells[at]["source"]) + "\nprint(1)"}])

    assert (found[-1].role, runs(found[-1])) == ("show", False)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("has_marks", [True, False])
def test_a_task_that_became_text_is_still_that_task_and_keeps_its_type(kind: str, has_marks: bool) -> None:
    cells = solved(LAB)
    at = numbered(cells, "task-words")
    if not has_marks:
        loses_both(cells)
    cells[at]["cell_type"] = kind

    assert (key_of(read(cells)[at]), read(cells)[at].kind) == (("task", "words"), kind)


def without_answers() -> list[RawCell]:
    cells = solved(LAB)
    for cell in (each for each in cells if each["id"].startswith("written-")):
        cell["source"] = cell["source"].removesuffix(ANSWER)
    return cells


@pytest.mark.parametrize(
    ("added", "unclear"),
    [
        ([], 0),
        ([own("x = 1")], 0),
        ([own("Batch.", "markdown")], 2),
        ([own("Batch.", "raw")], 2),
        ([own("Batch is right here, since nobody waits.")], 2),
        ([own("# Batch, since nobody waits.")], 2),
    ],
)
def test_a_question_without_answer_is_unclear_if_there_is_text_elsewhere(added: list[RawCell], unclear: int) -> None:
    assert len(unclear_questions(read([*without_answers(), *added]), released(LAB))) == unclear


def test_a_question_whose_cell_is_gone_or_not_recognized_is_unclear() -> None:
    cells = solved(LAB)
    at = numbered(cells, "written-dbms_same_question")
    saves_as_colab_does(cells)
    cells[at]["source"] = "My answer."

    expected = {"dbms_same_question": "its cell was not found in the notebook"}
    assert unclear_questions(read(cells), released(LAB)) == expected
    assert unclear_questions(read([*cells[:at], *cells[at + 1 :]]), released(LAB)) == expected


def test_the_answer_in_a_copy_of_the_question_belongs_to_the_question() -> None:
    cells = without_answers()
    copy = own(cells[numbered(cells, "written-dbms_same_question")]["source"] + ANSWER, "markdown")
    found = read([*cells, copy])

    assert key_of(found[-1]) == ("written", "dbms_same_question")
    assert unclear_questions(found, released(LAB)) == {}
