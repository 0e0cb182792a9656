"""A task's digest in a running notebook equals that of its cell in the file, until one of them changes."""

import types
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.judge.cell_digests import digest_of_source, live_digest, task_cell_digests
from streamlab.notebooks.labfile import LabCell

FUNCTION = "def words(line):\n    return line.split()\n"
CACHED = "import functools\n@functools.cache\ndef words(line):\n    return line.split()\n"
CLASS = (
    "class words:\n    @property\n    def count(self):\n        return 3\n    @staticmethod\n    def of(line): ...\n"
)


def run_in_a_notebook(*sources: str) -> Any:
    shell = InteractiveShell(user_module=types.ModuleType("notebook"))
    for source in sources:
        shell.run_cell(source)
    return shell.user_ns.get("words")


@pytest.mark.parametrize("source", [FUNCTION, CACHED, CLASS])
def test_an_executed_cell_has_the_digest_of_its_source(source: str) -> None:
    saved = LabCell("code", f"\n{source}  ", "task", "words")

    assert live_digest(run_in_a_notebook(source)) == task_cell_digests([saved])["words"]


def test_a_cell_that_failed_is_not_the_one_that_made_the_function() -> None:
    assert live_digest(run_in_a_notebook(FUNCTION, "def words(line:\n    return 1\n")) == digest_of_source(FUNCTION)


@pytest.mark.parametrize(
    "sources",
    [
        ("words = str.split",),
        (CLASS, "def of(line):\n    return line\n", "words.of = staticmethod(of)"),  # of two cells
        ("words = 3",),
        ("exec('def words(line): ...')",),
    ],
)
def test_what_no_single_cell_made_has_no_digest(sources: tuple[str, ...]) -> None:
    assert live_digest(run_in_a_notebook(*sources)) is None


def test_white_space_at_ends_changes_no_digest_and_a_comment_does() -> None:
    assert digest_of_source(FUNCTION) == digest_of_source(f"\n{FUNCTION.replace(':', ':  ')}\n")
    assert digest_of_source(FUNCTION) != digest_of_source(f"# mine\n{FUNCTION}")


def test_the_last_cell_of_a_task_counts() -> None:
    cells = [LabCell("code", source, "task", "words") for source in (FUNCTION, CLASS)]

    assert task_cell_digests(cells) == {"words": digest_of_source(CLASS)}
