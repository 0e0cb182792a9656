"""The student's notebook of lab 1 in JupyterLab: a wrong answer is typed and checked, then a right one.

The test needs Chromium and playwright. On a machine without them it is skipped with the reason; with CI=true it fails,
so a missing browser is found.
"""

import os
import shutil
from pathlib import Path

import pytest

from autograder.builder.rules import MOST_COLUMNS
from streamlab.notebooks.labfile import read_lab
from tests.browser.jupyterlab import browser_page, jupyterlab, missing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "labs" / "lab01_wordcount" / "lab01_wordcount.ipynb"

SETUP = "from streamlab import"
TASK = "def words("
CHECK = 'check("words")'
WRONG = 'def words(line):\n    return line.split(" ")'
RIGHT = (
    "import re\n\n\n"
    "def words(line):\n"
    '    return [word.casefold() for word in re.findall(r"[^\\W_]+(?:\'[^\\W_]+)*", line)]'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A learner's folder with a copy of the notebook; skips the test, or fails it in CI, if the browser is missing."""
    problem = missing()
    if problem and os.environ.get("CI") == "true":
        pytest.fail(problem)
    if problem:
        pytest.skip(problem)
    for name in ("work", "home", "pictures"):
        (tmp_path / name).mkdir()
    shutil.copy(NOTEBOOK, tmp_path / "work")
    return tmp_path


def test_a_wrong_answer_fails_with_its_reason_and_a_right_one_passes(folder: Path) -> None:
    from tests.browser.notebook_page import NotebookPage

    copy = folder / "work" / NOTEBOOK.name
    with jupyterlab(folder / "work", folder / "home", ROOT) as address, browser_page() as (page, errors):
        notebook = NotebookPage(page, address, copy.name, folder / "pictures")
        notebook.run(SETUP)
        stub = notebook.run(TASK) + notebook.run(CHECK)
        notebook.picture("1_stub", CHECK)

        notebook.write(TASK, WRONG)
        notebook.run(TASK)
        wrong = notebook.run(CHECK)
        cut_off = notebook.cut_off(CHECK)
        notebook.picture("2_wrong", CHECK)

        notebook.write(TASK, RIGHT)
        notebook.run(TASK)
        right = notebook.run(CHECK)
        notebook.picture("3_right", CHECK)

        notebook.write(CHECK, "print('all passed')")
        locked = notebook.source(CHECK)
        columns = notebook.columns(SETUP)
        notebook.save(copy, until_it_has="for word in re.findall")
    print(f"pictures: {folder / 'pictures'}")

    assert "pass" not in stub
    assert "fail" in wrong
    assert 'Expected words("and, then") to be ["and", "then"]; yours is ["and,", "then"].' in wrong
    assert cut_off == []
    assert "pass" in right
    assert "fail" not in right
    assert locked == CHECK
    assert columns >= MOST_COLUMNS
    assert errors == []
    assert [cell.source for cell in read_lab(copy).cells if (cell.role, cell.name) == ("task", "words")] == [RIGHT]
