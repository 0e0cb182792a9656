"""Writing a folder again replaces only what an earlier call wrote there."""

from pathlib import Path

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
