"""Submissions that attack the judge, and the trial that tests the judge with them.

`attacks/` has one file for each attack by a notebook cell; `files.py` has the attacks by the submitted file itself.
The defences are in `autograder.sandbox`, `autograder.inside` and `autograder.judge.events`.
"""

from autograder.hostile.attack import Attack, read_attacks
from autograder.hostile.notebooks import Targets, as_notebook

__all__ = ["Attack", "Targets", "as_notebook", "read_attacks"]
