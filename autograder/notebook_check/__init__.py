"""Provides `check()` and `hint()` for notebooks: the judge's drives and checks on the live functions, without marks.

`streamlab.notebooks` reaches the autograder only through this package, at run time.
"""

from autograder.judge.chain import fallback_sentence
from autograder.notebook_check.check_cell import check, hint
from autograder.notebook_check.public_checks import first_problem

__all__ = ["check", "fallback_sentence", "first_problem", "hint"]
