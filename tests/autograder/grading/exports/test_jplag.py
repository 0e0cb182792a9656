"""The code of a class as JPlag reads it: folders next to each other, with the code of the tasks alone."""

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import context
from autograder.cli import grade as verbs
from autograder.cli.export import export
from autograder.grading.exports.jplag import BASE_CODE, write_code
from autograder.record.gradebook import Recorder
from streamlab.notebooks.labfile import LabCell
from tests.autograder.tiny_class import LAB, TinyClass


@pytest.fixture
def folder(tiny_class: TinyClass, tmp_path: Path) -> Path:
    """The code of ada, whose notebook has a magic, an added cell and an answer; mallory's file is no notebook."""
    added = LabCell("code", "secret_cell = 1")
    tiny_class.hand_in("ada", added, double="%time\ndef double(n):\n    return n + n", why="My answer.")
    tiny_class.hand_in("mallory").write_bytes(b"")
    target = tmp_path / "code"

    count, left_out = write_code(tiny_class.classroom, LAB, target, str)

    assert count == 1
    assert [each.partition(":")[0] for each in left_out] == ["mallory"]
    return target


def test_each_submission_is_a_folder_next_to_that_of_the_starter(folder: Path) -> None:
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py")) == [
        f"ada/{LAB}.py",
        f"{BASE_CODE}/{LAB}.py",
    ]


def test_the_file_is_python_with_the_code_of_the_tasks_alone(folder: Path) -> None:
    text = (folder / "ada" / f"{LAB}.py").read_text()

    assert [each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)] == ["double", "triple"]
    assert "secret_cell" not in text
    assert "My answer" not in text
    assert "check(" not in text


def test_pseudonyms_replace_the_ids_and_a_second_export_replaces_the_first(
    tiny_class: TinyClass, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "ROOT", tiny_class.classroom.root)
    monkeypatch.setattr(verbs, "ROOT", tiny_class.classroom.root)
    tiny_class.hand_in("adalovelace")
    target = tiny_class.classroom.folder / "exports" / f"{LAB}-jplag"

    for options, found in (([], True), (["--pseudonyms"], False)):
        CliRunner().invoke(export, [LAB, "--format", "jplag", *options], catch_exceptions=False)
        assert (target / "adalovelace").exists() is found
        assert len(list(target.iterdir())) == 2
