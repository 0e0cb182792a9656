"""Submissions that attack the judge, and the trial that they are put through.

`attacks/` has one file for each attack that a notebook's cell makes, `files.py` those that are made by the file
itself. Keeps out: defence (autograder.sandbox, autograder.inside, autograder.judge.events).
"""

from autograder.hostile.attack import Attack, read_attacks
from autograder.hostile.notebooks import Targets, as_notebook

__all__ = ["Attack", "Targets", "as_notebook", "read_attacks"]
