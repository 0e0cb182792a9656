"""Notebooks and percent-format sources are read as the same cells."""

import json
import os
from pathlib import Path

import pytest

from streamlab.notebooks.labfile import UnreadableLab, read_lab

SOURCE = """# %% [markdown]
# # Title
#
# prose
# %% role="given" name="setup"
x = 1

# %% task="words" todo="split the line"
def words(line):
    return line.split()
# %% check="words"
check("words")
"""


def notebook(tmp_path: Path, cells: list[dict], **about: str) -> Path:
    path = tmp_path / "lab01_wordcount.ipynb"
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"streamlab": about}, "cells": cells}
    path.write_text(json.dumps(content))
    return path


def test_a_percent_source_has_cells_with_role_name_and_line(tmp_path: Path) -> None:
    path = tmp_path / "lab01_wordcount.py"
    path.write_text(SOURCE)
    cells = read_lab(path).cells

    assert [(c.kind, c.role, c.name, c.line) for c in cells] == [
        ("markdown", None, None, 1),
        ("code", "given", "setup", 5),
        ("code", "task", "words", 8),
        ("code", "check", "words", 11),
    ]
    assert cells[0].source == "# Title\n\nprose"
    assert cells[2].options["todo"] == "split the line"


@pytest.mark.parametrize("character", ["\u2028", "\x0c", "\x1c", "\x85"])
def test_a_line_ends_only_where_python_ends_it(character: str, tmp_path: Path) -> None:
    path = tmp_path / "lab.py"
    path.write_text(f"# %%\nx = '{character}# %%'\n# %%\n{character if character == chr(12) else ''}y = 1\n")

    assert [cell.line for cell in read_lab(path).cells] == [1, 3]


def test_a_notebook_has_the_same_cells_as_its_percent_source(tmp_path: Path) -> None:
    about = {"streamlab": {"role": "given", "name": "setup"}}
    given = {"cell_type": "code", "metadata": about, "source": ["x = ", "1"]}
    other = {"cell_type": "code", "metadata": {}, "source": "y = 2"}
    file = read_lab(notebook(tmp_path, [given, other], lab="lab01", release="1"))

    assert (file.lab, file.release) == ("lab01", "1")
    assert [(c.role, c.name, c.source) for c in file.cells] == [("given", "setup", "x = 1"), (None, None, "y = 2")]


def test_windows_line_ends_and_a_byte_order_mark_are_ignored(tmp_path: Path) -> None:
    plain, windows = tmp_path / "a" / "lab.py", tmp_path / "b" / "lab.py"
    for path, text in ((plain, SOURCE), (windows, "\ufeff" + SOURCE.replace("\n", "\r\n"))):
        path.parent.mkdir()
        path.write_bytes(text.encode())

    assert read_lab(plain).cells == read_lab(windows).cells


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ipynb", b"", "empty"),
        ("a.ipynb", b"not json", "not JSON"),
        ("a.ipynb", b"[" * 100_000, "not JSON"),
        ("a.ipynb", b'{"worksheets": []}', "no list of cells"),
        ("a.ipynb", b"[1, 2]", "no list of cells"),
        ("a.ipynb", b"\xff\xfe\x00{", "no UTF-8"),
        ("a.py", b"x = 1", "no cell found"),
        ("a.txt", b"x", "expected a notebook"),
    ],
)
def test_any_other_file_is_rejected_in_one_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(UnreadableLab, match=message) as rejected:
        read_lab(tmp_path / name)

    assert "\n" not in str(rejected.value)


def test_metadata_of_a_wrong_type_counts_as_absent(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "metadata": 5, "source": None},
        {"cell_type": "code", "metadata": {"streamlab": {"role": ["task"], "name": 3}}, "source": ["a", 1]},
        "no cell",
    ]
    path = notebook(tmp_path, cells)  # type: ignore[arg-type]

    assert [(c.role, c.name, c.source) for c in read_lab(path).cells] == [(None, None, ""), (None, None, "a")]


def test_a_notebook_of_over_200_million_bytes_is_rejected_without_reading_it(tmp_path: Path) -> None:
    giant = tmp_path / "giant.ipynb"
    giant.touch()
    os.truncate(giant, 200_000_001)

    with pytest.raises(UnreadableLab, match="200,000,001 bytes"):
        read_lab(giant)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_and_windows_line_ends_inside_cells_change_nothing(tmp_path: Path, encoding: str) -> None:
    path = notebook(tmp_path, [{"cell_type": "raw", "source": ["é = 1\r\n", "b = 2"]}], lab="lab01")
    path.write_bytes(path.read_text().encode(encoding))

    assert [(cell.kind, cell.source) for cell in read_lab(path).cells] == [("raw", "é = 1\nb = 2")]


@pytest.mark.parametrize(
    "marks",
    [
        {"metadata": {"streamlab": {"role": "task", "name": "f"}}},
        {"metadata": {"nbgrader": {"grade_id": "task-f"}}, "id": "0a1b"},
        {"metadata": {"streamlab": {"role": "task"}}, "id": "task-f"},
    ],
    ids=["metadata", "nbgrader", "id"],
)
def test_the_role_of_a_cell_is_read_from_what_an_editor_has_left(tmp_path: Path, marks: dict) -> None:
    (cell,) = read_lab(notebook(tmp_path, [{"cell_type": "code", "source": "", **marks}])).cells

    assert (cell.role, cell.name) == ("task", "f")
