"""Builds what students open from the percent sources of the labs: notebooks in `labs/`, the tables of README.md.

`build` writes them; `stale` lists what is not up to date with the sources. The steps: read a source (`source`), check
it as a whole (`rules`), turn it into a notebook with nbgrader's metadata (`notebook`), and strip the solutions with
nbgrader's generate_assignment (`release`). `reference` runs the notebook with its solutions, and `quotes` compares the
outputs that its prose quotes with those that its cells printed. `new_lab` starts a lab from `template/`.
"""

from autograder.builder.builder import build, stale
from autograder.builder.new_lab import BadName, new_lab
from autograder.builder.notebook import reference_notebook
from autograder.builder.quotes import checks_that_do_not_pass, wrong_quotes
from autograder.builder.reference import CellError, Executed, run_reference
from autograder.builder.rules import SourceError

__all__ = [
    "BadName",
    "CellError",
    "Executed",
    "SourceError",
    "build",
    "checks_that_do_not_pass",
    "new_lab",
    "reference_notebook",
    "run_reference",
    "stale",
    "wrong_quotes",
]
