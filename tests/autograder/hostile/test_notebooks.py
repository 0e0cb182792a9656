"""An attack is written as a student's notebook that any tool can read."""

from pathlib import Path

import nbformat
import pytest

from autograder.builder import reference_notebook
from autograder.course import load_course
from autograder.hostile import Targets, as_notebook, read_attacks
from autograder.hostile.notebooks import Notebook, wrong_work

ROOT = Path(__file__).resolve().parents[3]
TARGETS = Targets(Path("/class"), Path("/home/teacher"), Path("/kit"), "mark")


@pytest.fixture(scope="module")
def reference() -> Notebook:
    return dict(reference_notebook(ROOT, load_course(ROOT), "lab01_wordcount"))


def test_every_attack_is_a_valid_notebook_of_the_lab(reference: Notebook, tmp_path: Path) -> None:
    for attack in read_attacks():
        path = as_notebook(attack, reference, TARGETS, tmp_path / f"{attack.name}.ipynb")

        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert notebook.metadata.streamlab.lab == "lab01_wordcount"
        assert [cell.id for cell in notebook.cells[-3:]] == ["hostile-wrong", "hostile-targets", "hostile-attack"]
        assert len(notebook.cells) == len(reference["cells"]) + 3


def test_scripts_are_in_outputs_and_in_written_answers(reference: Notebook, tmp_path: Path) -> None:
    attack = next(each for each in read_attacks() if each.name == "html_in_answers")

    notebook = nbformat.read(as_notebook(attack, reference, TARGETS, tmp_path / "x.ipynb"), as_version=4)

    written = [each.source for each in notebook.cells if each.metadata.get("streamlab", {}).get("role") == "written"]
    assert written
    assert all("<script>" in source for source in written)
    assert "<script>" in notebook.cells[-1].outputs[0].data["text/html"]


def test_making_an_attack_does_not_change_the_reference(reference: Notebook) -> None:
    before = len(reference["cells"])

    wrong_work("words", reference)["cells"][0]["source"] = "changed"

    assert len(reference["cells"]) == before
    assert reference["cells"][0]["source"] != "changed"
