"""Mutants and alternatives are read from a group's files; an error names file and line."""

from pathlib import Path

import pytest

from autograder.verify.variants import BadVariant, alternatives_of, mutants_of
from streamlab.notebooks.labfile import LabCell

CELLS = [LabCell("code", "def words(line):\n    return line.split()", "task", "words")]
MUTANTS = """
import re
BLANKS = "words_are_apart"

@right
def words(line):
    return [word for word in re.split(" ", line) if word]

mutant("keeps_empty", BLANKS, (" if word", ""))

reference("words")

mutant("other_separator", [BLANKS, "order"], ("split()", "split(',')"))

@mutant("whole", "order", task="words")
def helper(line):
    return sorted(line.split())
"""
BASE = 'reference("words")\n'
BAD = [
    (f'{BASE}mutant("twice", CHECK, ("line", "x"))', r"'line' occurs 2 times in the reference"),
    (f'{BASE}mutant("nowhere", CHECK, ("lime", "x"))', r"'lime' occurs 0 times in the reference"),
    (f'{BASE}mutant("broken", CHECK, ("return ", "return ("))', "the edited version is not Python"),
    ('mutant("no_base", CHECK, ("a", "b"))', "no base precedes this mutant"),
    ('reference("word")', "the reference defines no word"),
    (f'{BASE}mutant("old_form", CHECK, ("line", "x"), of="words")', "of is no option; expected task"),
    ('@mutant("stray", CHECK)\ndef helper(line): ...', "helper is no task of this lab"),
    ('@mutant("silent", [])\ndef words(line): ...', "names no check that must catch it"),
]


def stage(tmp_path: Path, text: str) -> Path:
    (tmp_path / "group").mkdir()
    (tmp_path / "group/mutants.py").write_text(text)
    return tmp_path


def test_a_mutant_is_a_whole_version_or_edits_of_a_right_one_or_of_the_reference(tmp_path: Path) -> None:
    empty, separator, whole = mutants_of(stage(tmp_path, MUTANTS), ["words"], CELLS)

    assert empty.code.startswith("import re")
    assert "if word" not in empty.code
    assert separator.code == "def words(line):\n    return line.split(',')\n"
    assert (separator.task, separator.name) == ("words", "words__other_separator")
    assert separator.killed_by == {"words_are_apart", "order"}
    assert "sorted" in whole.code


def test_a_right_version_is_verified_like_an_alternative(tmp_path: Path) -> None:
    (right,) = alternatives_of(stage(tmp_path, MUTANTS), ["words"], CELLS)

    assert (right.task, right.killed_by) == ("words", frozenset())
    assert "if word" in right.code


@pytest.mark.parametrize(("text", "message"), BAD)
def test_the_error_for_an_invalid_entry_names_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadVariant, match=rf"^group/mutants.py line \d+: .*{message}"):
        mutants_of(stage(tmp_path, f'CHECK = "c"\n{text}\n'), ["words"], CELLS)
