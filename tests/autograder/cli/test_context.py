"""The file that an option names is checked before any work; the work folder is where the user can write."""

import os
from pathlib import Path

import pytest

from autograder.cli.context import UserError, output_file, place_work, work_folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which `./lab` was called."""
    monkeypatch.setenv("STREAMLAB_CALLED_FROM", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", ["new.json", "old.json"])
def test_a_file_in_a_writable_folder_is_accepted_and_not_touched(here: Path, name: str) -> None:
    (here / "old.json").write_text("old")

    assert output_file(name) == here / name
    assert [path.read_text() for path in here.iterdir()] == ["old"]


def test_a_device_is_accepted() -> None:
    assert output_file("/dev/null") == Path("/dev/null")


def test_a_folder_is_rejected(here: Path) -> None:
    (here / "results").mkdir()

    with pytest.raises(UserError, match=f"expected a file to write, got the folder {here}/results; name a file in it"):
        output_file("results")


@pytest.mark.parametrize("parent", ["missing", "file"])
def test_a_file_in_something_that_is_no_folder_is_rejected(here: Path, parent: str) -> None:
    (here / "file").write_text("")

    with pytest.raises(UserError, match=f"no folder {here}/{parent} to write x.json into"):
        output_file(f"{parent}/x.json")


@pytest.mark.parametrize(
    ("name", "is_replaced", "read_only"),
    [("new.json", False, "."), ("old.json", False, "old.json"), ("old.json", True, ".")],
)
def test_a_file_that_cannot_be_written_is_rejected(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_replaced: bool, read_only: str
) -> None:
    (here / "old.json").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != here / read_only)  # root may write anywhere

    with pytest.raises(UserError, match=f"cannot write {here / name}: {here / read_only} is not writable"):
        output_file(name, is_replaced)


def test_work_is_in_the_kit_unless_its_folder_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_WORK", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))

    assert work_folder(tmp_path) == tmp_path / "work"

    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    assert work_folder(tmp_path) == tmp_path / "me" / "streamlab"
    (tmp_path / "work").mkdir()  # a folder that was mounted there
    assert work_folder(tmp_path) == tmp_path / "work"


@pytest.mark.parametrize(("setting", "folder"), [("mine", "mine"), (".", ""), ("../there/mine", "../there/mine")])
def test_a_named_work_folder_is_relative_to_the_caller(
    here: Path, monkeypatch: pytest.MonkeyPatch, setting: str, folder: str
) -> None:
    monkeypatch.setenv("STREAMLAB_WORK", setting)

    assert work_folder(Path("/kit")) == Path(os.path.normpath(here / folder))


def test_services_class_and_earlier_labs_follow_the_work_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", {"STREAMLAB_CLASS": "/elsewhere"})
    (tmp_path / "cache").mkdir()

    place_work(tmp_path / "work", tmp_path / "no cache", root=tmp_path)
    assert os.environ == {"STREAMLAB_CLASS": "/elsewhere"}  # the kit's own defaults are right

    place_work(tmp_path / "mine", tmp_path / "cache", root=tmp_path)
    assert os.environ == {
        "STREAMLAB_CLASS": "/elsewhere",
        "STREAMLAB_EARLIER": str(tmp_path / "mine"),
        "STREAMLAB_SERVICES": str(tmp_path / "mine" / "services"),
        "STREAMLAB_CACHE": str(tmp_path / "cache"),
    }
