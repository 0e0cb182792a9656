"""Writing a folder again replaces only what an earlier call wrote there."""

from pathlib import Path
from typing import Any

import pytest

from autograder.portfolio.folder import RECORD, why_not_writable, write_files


def texts(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != RECORD)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


def test_a_second_call_replaces_and_deletes_what_the_first_one_wrote(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": "old", "tests/b.py": "old"})
    (tmp_path / "mine.txt").write_text("mine")

    assert write_files(tmp_path, {"a.py": "new"}) == []
    assert texts(tmp_path) == {"a.py": "new", "mine.txt": "mine"}


def test_a_file_that_was_changed_by_hand_stays_until_it_is_deleted(tmp_path: Path) -> None:
    write_files(tmp_path, {"README.md": "written", "gone.py": ""})
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "gone.py").write_text("mine")

    assert write_files(tmp_path, {"README.md": "again"}) == ["README.md", "gone.py"]
    assert write_files(tmp_path, {"README.md": "again"}) == ["README.md"]
    (tmp_path / "README.md").unlink()
    assert write_files(tmp_path, {"README.md": "again"}) == []
    assert texts(tmp_path) == {"README.md": "again", "gone.py": "mine"}


def test_a_file_that_is_as_it_would_be_written_is_not_reported(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": "old"})
    (tmp_path / "a.py").write_text("new")

    assert write_files(tmp_path, {"a.py": "new"}) == []
    assert write_files(tmp_path, {"a.py": "newer"}) == []


@pytest.mark.parametrize("earlier", [{}, {"a.py": "old", "b/c.py": "old"}])
def test_a_call_after_an_interrupted_one_writes_all_files(
    earlier: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, folder = {"a.py": "new", "b/c.py": "new"}, tmp_path / "portfolio"
    if earlier:
        write_files(folder, earlier)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", interrupted_at("c.py"))
        with pytest.raises(KeyboardInterrupt):
            write_files(folder, files)

    assert why_not_writable(folder) is None
    assert write_files(folder, files) == []
    assert texts(folder) == files


def interrupted_at(name: str) -> Any:
    """Return `Path.write_text`, which the user interrupts at a file of this name."""
    write_text = Path.write_text

    def write(path: Path, *text: Any, **named: Any) -> int:
        if path.name == name:
            raise KeyboardInterrupt
        return write_text(path, *text, **named)

    return write


def test_a_record_that_names_files_outside_deletes_none(tmp_path: Path) -> None:
    folder, outside = tmp_path / "portfolio", tmp_path / "outside.txt"
    outside.write_text("")
    folder.mkdir()
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # of an empty file
    (folder / RECORD).write_text(f'{{"../outside.txt": "{digest}"}}')

    write_files(folder, {"a.py": ""})

    assert outside.exists()


@pytest.mark.parametrize(("name", "is_writable"), [("notes.txt", False), (".git", True), (RECORD, True)])
def test_a_folder_with_other_files_is_not_written_to(name: str, is_writable: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text("{}")

    assert (why_not_writable(tmp_path) is None) is is_writable
