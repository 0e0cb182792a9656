"""`load_stage` collects the checks that a stage's `checks.py` declares."""

import sys
from types import ModuleType

import pytest

from autograder.checks import Case, Mismatch, Rows, check, claim, load_stage, registry


def no_cases(seed: str) -> list[Case]:
    return []


def always_holds(case: Case, rows: Rows) -> Mismatch | None:
    return None


def test_checks_in_a_table_are_collected_in_addition_to_named_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("checks_of_one_group")
    vars(module)["always_holds"] = check("words", cases=no_cases, invariant=2)(always_holds)
    vars(module)["CLAIMS"] = [claim("words", name, cases=no_cases, judge=always_holds) for name in ("one", "two")]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(registry, "group_modules", lambda lab, name: [module.__name__])

    stage = load_stage("any_lab")

    assert [each.name for each in stage.of_task("words")] == ["always_holds", "one", "two"]


def test_a_row_of_a_table_equals_the_check_that_the_decorator_returns() -> None:
    decorated = check("words", cases=no_cases, invariant=2, chain="lab01/words")(always_holds)

    row = claim("words", "always_holds", cases=no_cases, judge=always_holds, invariant=2, chain="lab01/words")

    assert row == decorated
