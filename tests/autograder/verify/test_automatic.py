"""Automatic mutants change only what a solution computes; survivors are listed by their change."""

from pathlib import Path

import pytest

from autograder.verify.automatic import automatic_mutants
from autograder.verify.survivors import as_entry, must_exist, survivors_of
from autograder.verify.variants import BadVariant
from streamlab.notebooks.labfile import LabCell

SOURCE = '''LIMIT = 1 + 1

def spread(sizes: list[int | None], most: int = 2 + 2) -> int | None:
    """Return 1 + 1."""
    ### BEGIN SOLUTION
    "A text that says 1 < 2."
    total: int | float = 0
    if not sizes:
        raise ValueError(f"expected {1 + 1} sizes", most + 1)
    for size in sizes:
        total -= size
    return max(total, sizes[-1])
    ### END SOLUTION
'''
CHANGES = [mutant.change[1:] for mutant in automatic_mutants(LabCell("code", SOURCE, "task", "spread"))]


def test_only_lines_of_the_solution_that_compute_are_changed() -> None:
    changed = {before for before, _ in CHANGES}

    assert changed == {"total: int | float = 0", "if not sizes:", "for size in sizes:", "return max(total, sizes[-1])"}
    assert all("int | float" in after for before, after in CHANGES if before.startswith("total:"))


def test_a_change_is_one_line_before_and_one_after() -> None:
    assert ("if not sizes:", "if sizes:") in CHANGES
    assert ("for size in sizes:", "for size in []:") in CHANGES
    assert ("total: int | float = 0", "total: int | float = 1") in CHANGES
    assert len(set(CHANGES)) == len(CHANGES)


def listed(tmp_path: Path, text: str) -> Path:
    (tmp_path / "group").mkdir()
    (tmp_path / "group/mutants.py").write_text(text)
    return tmp_path


def test_the_suggested_entry_for_a_survivor_lists_it(tmp_path: Path) -> None:
    mutants = automatic_mutants(LabCell("code", SOURCE, "task", "spread"))
    entries = [as_entry(mutant).replace("equivalent: ", "equivalent: so it is") for mutant in mutants]

    survivors = survivors_of(listed(tmp_path, "\n".join(entries)))

    assert [each.change for each in survivors] == [each.change for each in mutants]
    must_exist(survivors, mutants)


def test_an_entry_whose_line_no_longer_exists_is_an_error(tmp_path: Path) -> None:
    entry = 'survivor("spread", "if not size:", "if size:", reason="equivalent: gone")'
    survivors = survivors_of(listed(tmp_path, entry))

    with pytest.raises(BadVariant, match=r"group/mutants.py line 1: no operator turns “if not size:” of spread"):
        must_exist(survivors, automatic_mutants(LabCell("code", SOURCE, "task", "spread")))


@pytest.mark.parametrize("entry", ['survivor("a", "b", reason="c")', 'survivor("a", "b", "c", reason=" ")'])
def test_an_entry_needs_a_task_both_lines_and_a_reason(tmp_path: Path, entry: str) -> None:
    with pytest.raises(BadVariant, match=r"group/mutants.py line 1: expected survivor\("):
        survivors_of(listed(tmp_path, entry))
