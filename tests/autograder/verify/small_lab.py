"""The files of a lab of two plain tasks that verifies without holes, and its starter."""

import json

LAB = "lab98_small"
GROUP = f"autograder/stages/{LAB}/numbers"
SOURCE = '''"""Small."""

# %% [markdown]
# # Small

# %% role="given" name="setup"
from streamlab import check

# %% task="halve" todo="return half of an even number"
def halve(number: int) -> int:
    """Return half of `number`. Raises ValueError if it is odd."""
    ### BEGIN SOLUTION
    if number % 2:
        raise ValueError(f"expected an even number, got {number + 0}")
    return number // 2
    ### END SOLUTION


# %% check="halve"
check("halve")

# %% task="quarter" todo="halve twice"
def quarter(number: int) -> int:
    """Return a quarter of `number`."""
    ### BEGIN SOLUTION
    return halve(halve(number))
    ### END SOLUTION


# %% check="quarter"
check("quarter")
'''
COURSE = f"""course: Small
release: "1"
limits: {{wall_s: 60, load_s: 5, case_s: 5, memory_mb: 800, output_mb: 1, processes: 200}}
labs:
  {LAB}:
    title: Small
    minutes: 1
    points: 4
    tasks:
      halve: {{checks: {{a_half_is_half_of_the_number: 1, an_odd_number_is_rejected: 1}}}}
      quarter: {{checks: {{a_quarter_is_half_of_a_half: 2}}}}
"""
DRIVE = '''"""Feeds numbers."""

from autograder.inside import drive
from autograder.inside.rows import or_rejected


@drive("halve")
def halve(stage, case):
    return or_rejected(lambda: {"got": stage.halve(case["number"])})


@drive("quarter")
def quarter(stage, case):
    with stage.replaced(halve=lambda number: number - 3):
        return {"got": stage.quarter(case["number"])}
'''
CHECKS = '''"""The claims."""

from autograder.checks import check, same_value
from autograder.checks.rejection import must_reject


def even(seed):
    return [{"number": number} for number in (2, 4, 8)]


def odd(seed):
    return [{"number": 1}, {"number": 6}]


@check("halve", cases=even)
def a_half_is_half_of_the_number(case, rows):
    return same_value(case["number"] // 2, rows.get("got"), what=f"halve({case['number']})")


@check("halve", cases=odd)
def an_odd_number_is_rejected(case, rows):
    if case["number"] % 2:
        return must_reject("halve(1)", rows)
    return same_value(3, rows.get("got"), what="halve(6)")


@check("quarter", cases=even)
def a_quarter_is_half_of_a_half(case, rows):
    return same_value(case["number"] - 6, rows.get("got"), what=f"quarter({case['number']})")
'''
MUTANTS = '''"""Wrong versions."""

from autograder.checks.mutant_markers import mutant, reference, survivor

reference("halve")

mutant("odd_is_valid", "an_odd_number_is_rejected", ("if number % 2:", "if False:"))


@mutant("eight_is_eight", "a_half_is_half_of_the_number")
def halve(number):
    if number % 2:
        raise ValueError
    return number // 2 if number < 8 else number


@mutant("once", "a_quarter_is_half_of_a_half")
def quarter(number):
    return halve(number)


survivor("halve", "return number // 2", "return number / 2", reason="equal: 1 and 1.0 are one value to the check")
'''
ALTERNATIVES = '''"""Other right solutions."""

from autograder.checks.mutant_markers import alternative


@alternative("by_bits")
def halve(number):
    if number & 1:
        raise ValueError
    return number >> 1
'''


def _starter() -> str:
    def cell(task: str) -> dict[str, object]:
        source = f"def {task}(number):\n    raise NotImplementedError('{task}')"
        metadata = {"streamlab": {"role": "task", "name": task}}
        head = {"cell_type": "code", "id": f"task-{task}", "metadata": metadata}
        return {**head, "source": source, "outputs": [], "execution_count": None}

    metadata = {"streamlab": {"lab": LAB, "release": "1"}}
    notebook = {"cells": [cell("halve"), cell("quarter")], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook)


FILES = {
    "course.yml": COURSE,
    f"solutions/{LAB}/{LAB}.py": SOURCE,
    f"labs/{LAB}/{LAB}.ipynb": _starter(),
    "autograder/__init__.py": "",
    "autograder/stages/__init__.py": "",
    f"autograder/stages/{LAB}/__init__.py": "",
    f"{GROUP}/__init__.py": "",
    f"{GROUP}/drive.py": DRIVE,
    f"{GROUP}/checks.py": CHECKS,
    f"{GROUP}/mutants.py": MUTANTS,
    f"{GROUP}/alternatives.py": ALTERNATIVES,
}
