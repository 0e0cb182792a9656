"""`./lab start`: JupyterLab opens with the list of labs, or with one notebook and the whole page for its cells."""

from pathlib import Path

import pytest

from autograder.cli.learner import workspaces


@pytest.mark.parametrize(("opened", "saved"), [("", 0), ("lab01_wordcount/lab01_wordcount.ipynb", 1)])
def test_side_bars_are_closed_only_if_a_notebook_is_opened(tmp_path: Path, opened: str, saved: int) -> None:
    folder = workspaces(tmp_path / "workspaces", opened)

    assert len(list(folder.glob("*.jupyterlab-workspace"))) == saved


def test_the_learners_own_arrangement_stays(tmp_path: Path) -> None:
    own = tmp_path / "default-37a8.jupyterlab-workspace"
    own.write_text("{}")

    assert workspaces(tmp_path, "lab01_wordcount/lab01_wordcount.ipynb") == tmp_path
    assert [each.read_text() for each in tmp_path.iterdir()] == ["{}"]
