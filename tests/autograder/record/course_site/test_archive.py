"""An archive is opened without trusting its names, sizes and flags: each unsafe entry is rejected with a reason."""

import zipfile
from pathlib import Path

import pytest

from autograder.record.course_site import archive as module
from autograder.record.course_site.archive import BadArchive, BadEntry, SiteArchive
from tests.autograder.record.course_site.site_archives import NOON, link, zipped


def changed(path: Path, offset_of: bytes, at: int, value: int) -> None:
    """Change one byte of the headers, local and central, that begin with this signature."""
    content = bytearray(path.read_bytes())
    start = content.index(offset_of)
    content[start + at] = value
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/passwd.ipynb", "an absolute path"),
        ("C:lab.ipynb", "an absolute path"),
        ("../lab.ipynb", "a path that leads out of the archive (..)"),
        ("a/../../lab.ipynb", "a path that leads out of the archive (..)"),
        ("a\\lab.ipynb", "a name with a backslash or a zero byte"),
        ("../", "a path that leads out of the archive (..)"),
    ],
)
def test_an_unsafe_path_is_rejected(tmp_path: Path, name: str, why: str) -> None:
    with SiteArchive(zipped(tmp_path / "a.zip", [(name, b"{}"), ("good.ipynb", b"{}")])) as archive:
        assert archive.rejected == {name: why}
        assert [each.name for each in archive.entries] == ["good.ipynb"]


def test_a_symbolic_link_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link("lab.ipynb"), "/etc/passwd")

    with SiteArchive(path) as opened:
        assert opened.rejected == {"lab.ipynb": "a symbolic link"}


def test_a_device_is_rejected(tmp_path: Path) -> None:
    info = link("lab.ipynb")
    info.external_attr = 0o020666 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "")

    with SiteArchive(tmp_path / "a.zip") as opened:
        assert opened.rejected == {"lab.ipynb": "not a regular file"}


def test_an_encrypted_file_is_rejected(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [("lab.ipynb", b"{}")])
    changed(path, b"PK\x01\x02", 8, 0x1)

    with SiteArchive(path) as opened:
        assert opened.rejected == {"lab.ipynb": "encrypted; ask the student for a file without a password"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_neither_of_two_files_of_one_name_is_taken(tmp_path: Path) -> None:
    with SiteArchive(zipped(tmp_path / "a.zip", [("lab.ipynb", b"1"), ("lab.ipynb", b"2")])) as opened:
        assert opened.rejected == {"lab.ipynb": "the archive has 2 entries of this name"}
        assert opened.entries == []


def test_folders_and_what_operating_systems_add_are_ignored(tmp_path: Path) -> None:
    names = ("folder/", "__MACOSX/._lab.ipynb", "folder/.DS_Store", "._lab.ipynb", "Thumbs.db")

    with SiteArchive(zipped(tmp_path / "a.zip", [(each, b"") for each in names])) as opened:
        assert (opened.entries, opened.rejected) == ([], {})


def test_names_that_macos_writes_in_utf8_without_saying_so_are_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [("Jose\N{COMBINING ACUTE ACCENT}.ipynb", b"{}")])
    changed(path, b"PK\x01\x02", 9, 0)
    changed(path, b"PK\x03\x04", 7, 0)

    with SiteArchive(path) as opened:
        assert [each.name for each in opened.entries] == ["José.ipynb"]
        opened.unpack(opened.entries[0], tmp_path / "out")


@pytest.mark.parametrize("content", [b"", b"<html>not found</html>", b"PK\x03\x04 cut off"])
def test_a_file_that_is_no_archive_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)

    with pytest.raises(BadArchive, match=r"a\.zip: expected a zip archive, as the course site makes it"):
        SiteArchive(tmp_path / "a.zip")


def test_an_archive_with_too_many_entries_is_rejected_before_anything_is_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [(f"{each}.ipynb", b"") for each in range(2_001)])

    with pytest.raises(BadArchive, match="2,001 entries, and an archive may have 2,000"):
        SiteArchive(path)


def test_a_bomb_is_rejected_and_the_others_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NOTEBOOK_BYTES_MAX", 1_000)
    with SiteArchive(zipped(tmp_path / "a.zip", [("bomb.ipynb", bytes(1_001)), ("lab.ipynb", b"{}")])) as opened:
        assert opened.rejected == {"bomb.ipynb": "1,001 bytes unpacked, and a notebook may have 1,000"}
        assert [each.name for each in opened.entries] == ["lab.ipynb"]


def test_the_largest_files_are_rejected_until_the_rest_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UNPACKED_BYTES_MAX", 1_000)
    sizes = {"a": 300, "b": 900, "c": 400, "d": 500}
    path = zipped(tmp_path / "a.zip", [(f"{name}.ipynb", bytes(size)) for name, size in sizes.items()])

    with SiteArchive(path) as opened:
        assert sorted(each.name for each in opened.entries) == ["a.ipynb", "c.ipynb"]
        assert set(opened.rejected.values()) == {
            "the archive has over 1,000 bytes unpacked, and this is among the largest files"
        }


def test_a_file_that_declares_a_smaller_size_than_it_has_is_not_unpacked_further(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [("lab.ipynb", bytes(100_000))])
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = (10).to_bytes(4, "little")
    path.write_bytes(content)

    with SiteArchive(path) as opened, pytest.raises(BadEntry):
        opened.unpack(opened.entries[0], tmp_path / "out")

    assert (tmp_path / "out").stat().st_size <= 10


def test_a_file_of_an_unknown_compression_is_one_sentence(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [("lab.ipynb", b"{}")])
    changed(path, b"PK\x01\x02", 10, 9)
    changed(path, b"PK\x03\x04", 8, 9)

    with SiteArchive(path) as opened, pytest.raises(BadEntry, match="compressed by a method that is not supported"):
        opened.unpack(opened.entries[0], tmp_path / "out")


def test_a_file_without_a_time_counts_as_old(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [("lab.ipynb", b"{}")])
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02")
    content[at + 12 : at + 16] = bytes(4)
    path.write_bytes(content)

    with SiteArchive(path) as opened:
        assert opened.entries[0].time.year < NOON[0]
