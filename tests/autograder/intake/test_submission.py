"""Intake accepts only regular files, and restores locked cells as they were released."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.intake import Rejected, take_in

TINY = {"lab": "lab99_tiny", "release": "1"}


def write(path: Path, *cells: tuple[str | None, str | None, str], about: dict[str, str] | None = None) -> Path:
    cell_dicts = [
        {"cell_type": "code", "metadata": {"streamlab": {"role": r, "name": n}} if r else {}, "source": s}
        for r, n, s in cells
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"streamlab": TINY if about is None else about}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cell_dicts}))
    return path


def test_a_locked_cell_that_was_changed_or_removed_is_restored_with_a_note(
    tiny_root: Path, tiny_course: Course
) -> None:
    write(tiny_root / "labs/lab99_tiny/lab99_tiny.ipynb", ("given", "setup", "import math"), ("given", "more", "k = 1"))
    mine = write(tiny_root / "mine.ipynb", ("given", "more", "k = 2"), (None, None, "x = 1"))

    submission = take_in(mine, tiny_course, tiny_root)

    assert [cell.source for cell in submission.cells] == ["import math", "k = 1", "x = 1"]
    assert ["was changed" in submission.notes[0], "was missing" in submission.notes[1]] == [True, True]


@pytest.mark.parametrize("missing", ["setup", "types", "tools"])
def test_a_missing_locked_cell_is_put_back_after_the_locked_cell_before_it(
    tiny_root: Path, tiny_course: Course, missing: str
) -> None:
    given = [("given", "setup", "import math"), ("given", "types", "pi = math.pi"), ("given", "tools", "two = 2 * pi")]
    write(tiny_root / "labs/lab99_tiny/lab99_tiny.ipynb", *given)
    left = [each for each in given if each[1] != missing]
    mine = write(tiny_root / "mine.ipynb", (None, None, "before = 1"), *left, (None, None, "after = 1"))

    cells = take_in(mine, tiny_course, tiny_root).cells

    assert [cell.name for cell in cells if cell.role == "given"] == ["setup", "types", "tools"]
    assert cells[-1].source == "after = 1"


def test_a_notebook_of_an_older_release_is_judged_with_a_note(tiny_root: Path, tiny_course: Course) -> None:
    old = write(tiny_root / "old.ipynb", about={"lab": "lab99_tiny", "release": "0.9"})

    assert "release 0.9" in take_in(old, tiny_course, tiny_root).notes[0]


def test_a_notebook_of_another_lab_is_rejected_by_name(tiny_root: Path, tiny_course: Course) -> None:
    other = write(tiny_root / "other.ipynb", about={"lab": "lab42_other", "release": "1"})

    with pytest.raises(Rejected, match="a notebook of lab42_other, not of lab99_tiny"):
        take_in(other, tiny_course, tiny_root, "lab99_tiny")
    with pytest.raises(Rejected, match="no lab lab42_other"):
        take_in(other, tiny_course, tiny_root)


def test_links_folders_and_pipes_are_rejected_with_the_reason(tiny_root: Path, tiny_course: Course) -> None:
    good = write(tiny_root / "good.ipynb")
    (tiny_root / "sym.ipynb").symlink_to(good)
    os.link(good, tiny_root / "hard.ipynb")
    os.mkfifo(tiny_root / "pipe.ipynb")
    (tiny_root / "folder.ipynb").mkdir()

    for name, why in (("sym", "symbolic"), ("hard", "hard link"), ("pipe", "regular"), ("folder", "regular")):
        with pytest.raises(Rejected, match=why):
            take_in(tiny_root / f"{name}.ipynb", tiny_course, tiny_root, "lab99_tiny")


def test_the_error_for_a_notebook_without_a_lab_asks_for_lab(tiny_root: Path, tiny_course: Course) -> None:
    silent = write(tiny_root / "silent.ipynb", about={})

    with pytest.raises(Rejected, match="--lab"):
        take_in(silent, tiny_course, tiny_root)
    assert take_in(silent, tiny_course, tiny_root, "lab99_tiny").lab == "lab99_tiny"


def test_a_file_of_a_million_parts_is_rejected_before_it_is_parsed(tiny_root: Path, tiny_course: Course) -> None:
    path = tiny_root / "lab99_tiny.ipynb"
    path.write_text('{"nbformat": 4, "cells": [' + "{}," * 600_000 + "{}]}")

    with pytest.raises(Rejected, match="600,003 parts"):
        take_in(path, tiny_course, tiny_root)


def test_the_error_for_a_name_with_control_characters_is_printable(tiny_root: Path, tiny_course: Course) -> None:
    (tiny_root / "\x1b[2Jx\n.ipynb").mkdir()

    with pytest.raises(Rejected) as rejected:
        take_in(tiny_root / "\x1b[2Jx\n.ipynb", tiny_course, tiny_root, "lab99_tiny")

    assert str(rejected.value).isprintable()


@pytest.mark.parametrize("kind", ["symlink", "pipe"])
def test_a_file_that_is_swapped_in_after_the_check_is_not_read(
    tiny_root: Path, tiny_course: Course, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tiny_root / "lab99_tiny.ipynb", (None, None, "mine = 1"))
    theirs = write(tiny_root / "theirs" / "lab99_tiny.ipynb", (None, None, "theirs = 1"))

    def swapped_after(call: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        def swapping_call(*arguments: object, **options: object) -> os.stat_result:
            status = call(*arguments, **options)
            monkeypatch.undo()
            path.unlink()
            path.symlink_to(theirs) if kind == "symlink" else os.mkfifo(path)
            return status

        return swapping_call

    for name in ("lstat", "fstat"):
        monkeypatch.setattr(os, name, swapped_after(getattr(os, name)))

    assert [cell.source for cell in take_in(path, tiny_course, tiny_root, "lab99_tiny").cells] == ["mine = 1"]
    assert path.is_symlink() or path.is_fifo()


def test_the_digest_is_of_the_bytes_that_were_read(tiny_root: Path, tiny_course: Course) -> None:
    path = write(tiny_root / "lab99_tiny.ipynb", (None, None, "x = 1"))

    assert take_in(path, tiny_course, tiny_root).digest == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_a_locked_cell_that_became_text_is_restored_with_a_note(
    tiny_root: Path, tiny_course: Course, kind: str
) -> None:
    write(tiny_root / "labs/lab99_tiny/lab99_tiny.ipynb", ("given", "setup", "import math"))
    mine = write(tiny_root / "mine.ipynb", ("given", "setup", "import math"))
    mine.write_text(mine.read_text().replace('"code"', f'"{kind}"'))

    submission = take_in(mine, tiny_course, tiny_root)

    assert [(cell.kind, cell.source) for cell in submission.cells] == [("code", "import math")]
    assert submission.notes == [f"The locked cell setup was turned into a {kind} cell; it was judged as released."]


STUB = 'def double(n):\n    raise NotImplementedError("double: return it")'
OLD, NEW = ("task", "double", "def double(n):\n    return n"), ("task", "double", "def double(n):\n    return 2 * n")


@pytest.mark.parametrize(
    ("cells", "notes"),
    [
        ([OLD, NEW], ["double is defined in cells 1 and 2 of the notebook; the last one counts."]),
        ([OLD, ("show", "1", "double(1)"), (None, None, NEW[2])], ["double is defined in cells 1 and 3"]),
        ([NEW, ("task", "double", STUB)], []),
        ([("task", "double", STUB), (None, None, NEW[2])], []),
    ],
    ids=["an old try", "in an added cell", "the stub below it", "the stub above it"],
)
def test_a_task_that_several_cells_define_is_named_and_the_stub_never_counts(
    tiny_root: Path, tiny_course: Course, cells: list[tuple[str, str, str]], notes: list[str]
) -> None:
    write(tiny_root / "labs/lab99_tiny/lab99_tiny.ipynb", ("task", "double", STUB))

    submission = take_in(write(tiny_root / "mine.ipynb", *cells), tiny_course, tiny_root)

    assert [cell.source for cell in submission.cells if "def double" in cell.source][-1] == NEW[2]
    assert [note[:34] for note in submission.notes] == [note[:34] for note in notes]


def test_a_notebook_without_metadata_is_matched_to_its_lab_by_its_cells(tiny_root: Path, tiny_course: Course) -> None:
    kit = Path(__file__).resolve().parents[3]
    course = load_course(kit)
    notebook = json.loads((kit / "labs/lab02_windows/lab02_windows.ipynb").read_text())
    path = tiny_root / "homework.ipynb"
    path.write_text(json.dumps({**notebook, "metadata": {}}))

    assert take_in(path, course, kit).lab == "lab02_windows"
    with pytest.raises(Rejected, match="a notebook of lab02_windows, not of lab01_wordcount"):
        take_in(path, course, kit, "lab01_wordcount")
