"""A file is written completely or not at all."""

from pathlib import Path

import pytest

from streamlab.sources.whole_files import write_whole


def test_missing_folders_are_created_and_no_temporary_file_remains(tmp_path: Path) -> None:
    write_whole(tmp_path / "in" / "1.txt", "né\n")

    assert (tmp_path / "in" / "1.txt").read_bytes() == "né\n".encode()
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["1.txt"]


def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    write_whole(f"{tmp_path}/1.txt", "long ago\n")
    write_whole(f"{tmp_path}/1.txt", "now\n")

    assert (tmp_path / "1.txt").read_text() == "now\n"


def test_text_that_cannot_be_written_keeps_the_old_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "1.txt", "old\n")
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "1.txt", "half of a pair: \ud800")

    assert [path.read_text() for path in tmp_path.iterdir()] == ["old\n"]
