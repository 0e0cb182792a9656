"""The cases of log lines: a check finds a line by its id, so no two lines of a case may have the same one."""

import pytest

from autograder.checks import Case
from autograder.stages.lab06_enrichment.logs import cases

SEEDS = 2_000  # about one seed in sixteen once gave two lines one id


def ids_of(case: Case) -> list[int]:
    return [line[0] for batch in case["batches"] for line in batch]


def test_a_line_without_a_label_never_has_the_id_of_another_line() -> None:
    for seed in range(SEEDS):
        for case in cases.unreadable(f"student {seed}"):
            assert len(ids_of(case)) == len(set(ids_of(case))), f"seed {seed}"


@pytest.mark.parametrize("made", [cases.lines, cases.kept])
def test_the_lines_of_a_case_have_different_ids(made: object) -> None:
    for seed in range(50):
        for case in made(f"student {seed}"):  # type: ignore[operator]
            assert len(ids_of(case)) == len(set(ids_of(case))), f"seed {seed}"
