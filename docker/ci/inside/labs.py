"""Run labs from top to bottom with their solutions, as a learner with all solved does; every job on the cluster.

Each ends as the learner's own work, for `./lab check`. Usage, in the container lab: python - LAB… <labs.py
"""

import os
import sys
import time

import nbformat

from autograder.build.notebook import reference_notebook
from autograder.build.reference import run_reference
from autograder.cli.learner import copy_of_starter
from autograder.cli.surroundings import ROOT, course

earlier = {}
for lab in sys.argv[1:]:
    began_s = time.monotonic()
    solved = reference_notebook(ROOT, course(), lab)
    executed = run_reference(ROOT, solved, earlier=earlier)
    for error in executed.errors:
        print(f"{lab}: {error}")
    if executed.errors:
        sys.exit(1)
    earlier[lab] = solved
    nbformat.write(executed.notebook, copy_of_starter(lab))
    print(f"{lab}: all cells ran on {os.environ['STREAMLAB_MASTER']}, {time.monotonic() - began_s:.0f} s")
