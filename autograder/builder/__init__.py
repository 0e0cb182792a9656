"""From the percent source of a lab to what students open: notebooks in `labs/`, the tables of README.md.

`build` writes them, `stale` says what is not up to date with the sources. On the way a source is read
(`source`), checked as a whole (`rules`), made a notebook with nbgrader's metadata (`notebook`), and stripped by
nbgrader's own generate_assignment (`release`). `reference` runs the notebook with its solutions and `quotes`
compares what its prose quotes with what its cells printed. `new_lab` starts a lab from `template/`.

Keeps out: judging, points (course.yml has them).
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
