"""A package gets only tests that pass in each process, whatever the order of its sets."""

import pytest

from autograder.portfolio import PACKAGE
from autograder.portfolio.recording_processes import HASH_SEEDS, NotImportable, recorded_tests

LAB = "lab01_wordcount"
INIT = f'from .{LAB} import words\n\nTASKS = {{"{LAB}/words": words}}\n'
WORDS = """\
import os
import re


def words(line):
    found = re.findall(r"[^\\W_]+(?:'[^\\W_]+)*", line.casefold())
    return found if os.environ["PYTHONHASHSEED"] in {seeds} else []
"""


@pytest.mark.parametrize(("seeds", "has_tests"), [(HASH_SEEDS, True), (HASH_SEEDS[:1], False)])
def test_an_answer_that_depends_on_the_hash_seed_makes_no_test(seeds: tuple[str, ...], has_tests: bool) -> None:
    words = WORDS.replace("{seeds}", str(seeds))

    tests = recorded_tests({f"{PACKAGE}/__init__.py": INIT, f"{PACKAGE}/{LAB}.py": words}, lambda _: None)

    # a process whose seed is not among them answers with [], also to the second run of that line
    lines = [line for test in tests[f"{LAB}/words"] for line in test.lines if not line.endswith("== []")]
    assert bool(lines) is has_tests


def test_modules_that_cannot_be_imported_are_reported_with_the_last_line_of_python() -> None:
    with pytest.raises(NotImportable, match=r"^NameError: name 'words' is not defined$"):
        recorded_tests({f"{PACKAGE}/__init__.py": "words"}, lambda _: None)
