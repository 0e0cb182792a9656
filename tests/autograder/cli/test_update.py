"""`./lab update` carries a learner's notebook to the kit's release, once, and loses nothing."""

import json
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner, Result

from autograder.cli import learner, progress_of_learner, update
from autograder.cli.context import UserError
from autograder.cli.notebook_release import offer
from autograder.course import load_course
from tests.autograder.cli.conftest import ROOT

LAB = "lab01_wordcount"
KIT = load_course(ROOT).release
MINE = "def words(line):\n    return [line]  # mine"
OFFER = f"your notebook is of release 2025.9, the kit's of {KIT}: `./lab update {LAB}` carries your answers over"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty work folder that replaces the learner's."""
    for module in (learner, progress_of_learner, update):
        monkeypatch.setattr(module, "WORK", tmp_path)
    return tmp_path


def start(release: str = "2025.9", source: str = MINE) -> Path:
    """Return a notebook of a release in which `words` is written."""
    path = learner.copy_of_starter(LAB)
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.streamlab.release = release
    next(each for each in notebook.cells if each.id == "task-words").source = source
    nbformat.write(notebook, path)
    return path


def updated(*options: str) -> Result:
    return CliRunner().invoke(update.update, [LAB, *options])


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


def test_the_answers_are_in_the_new_notebook_and_the_old_one_is_beside_it(work: Path) -> None:
    path = start()
    old = path.read_bytes()

    output = updated().stdout

    notebook = nbformat.read(path, as_version=4)
    assert next(each for each in notebook.cells if each.id == "task-words").source == MINE
    assert notebook.metadata.streamlab.release == KIT
    assert files(path)[f"{LAB}.before-{KIT}.ipynb"] == old
    lines = output.splitlines()
    assert lines[0] == f"{LAB}: release 2025.9 → {KIT}"
    assert lines[1].split(maxsplit=1)[0] == "words"
    assert "carried" in lines[1]
    assert lines[2].split(maxsplit=1) == ["count_words", "not written yet"]


def test_the_second_update_changes_nothing(work: Path) -> None:
    path = start()
    updated()
    before = files(path)

    assert updated().stdout == f"{path} is up to date: release {KIT}\n"
    assert files(path) == before


def test_a_dry_run_shows_the_same_and_writes_nothing(work: Path) -> None:
    path = start()
    before = files(path)

    shown = updated("--dry-run").stdout

    assert files(path) == before
    assert shown.splitlines()[-1] == "nothing was written"
    assert shown.splitlines()[:-1] == updated().stdout.splitlines()[:-2]


def test_an_earlier_old_notebook_is_never_overwritten(work: Path) -> None:
    for _ in range(3):
        path = start()
        updated()
        path.unlink()

    assert sorted(files(path)) == [f"{LAB}.before-{KIT}{number}.ipynb" for number in ("-2", "-3", "")]


def test_half_a_surrogate_pair_is_kept(work: Path) -> None:
    path = start()
    path.write_text(path.read_text().replace("# mine", "# \\ud83d"))

    assert updated().exit_code == 0
    assert "# \\ud83d" in path.read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "not JSON, so no notebook; was it saved completely?; nothing was changed"),
        ("[]", "no notebook of format 4 (it has no list of cells); nothing was changed"),
        ('{"cells": [], "metadata": {"streamlab": {"lab": "lab02_windows"}}}', f"of lab02_windows, not of {LAB}"),
        (
            '{"cells": [], "metadata": {"streamlab": {"release": "9999.1"}}}',
            f"your notebook is of release 9999.1, and this kit is of {KIT}; update the kit (docs/students.md)",
        ),
    ],
    ids=["damaged", "no notebook", "another lab", "newer"],
)
def test_a_notebook_that_cannot_be_updated_is_one_line_and_stays(work: Path, content: str, message: str) -> None:
    path = start()
    path.write_text(content)

    result = updated()

    assert isinstance(result.exception, UserError)
    assert message in str(result.exception)
    assert files(path) == {path.name: content.encode()}


@pytest.mark.parametrize("cell", ["1", "{}", '{"cell_type": "code", "metadata": [], "source": [1]}', '{"id": 3}'])
def test_cells_that_are_none_do_not_stop_the_update(work: Path, cell: str) -> None:
    path = start()
    path.write_text(f'{{"cells": [{cell}], "metadata": []}}')

    assert updated().exit_code == 0
    assert json.loads(path.read_text())["metadata"]["streamlab"]["release"] == KIT


def test_without_a_notebook_the_error_names_the_verb_that_creates_it(work: Path) -> None:
    assert str(updated().exception) == (
        f"your notebook {work / LAB / LAB}.ipynb does not exist; `./lab start {LAB}` creates it"
    )


def test_start_and_status_offer_the_update(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = start()
    monkeypatch.setattr(learner.os, "execve", lambda *_: None)

    assert OFFER in CliRunner().invoke(learner.start, [LAB]).output.splitlines()
    assert OFFER in CliRunner().invoke(progress_of_learner.status).output.splitlines()
    updated()
    assert offer(path, KIT) is None
    assert "update" not in CliRunner().invoke(progress_of_learner.status).output


def test_a_notebook_of_a_newer_release_is_named_and_no_update_is_offered(work: Path) -> None:
    assert offer(start("9999.1"), KIT) == (
        f"{LAB}: your notebook is of release 9999.1, and this kit is of {KIT}; update the kit (docs/students.md)"
    )
