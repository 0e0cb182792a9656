"""Write labs with their solutions to work/, not yet run, as a learner who is done has them.

Usage, in the container lab: python - LAB… <solved.py
"""

import sys

import nbformat

from autograder.builder.notebook import reference_notebook
from autograder.cli.context import ROOT, course
from autograder.cli.learner import copy_of_starter

for lab in sys.argv[1:]:
    nbformat.write(reference_notebook(ROOT, course(), lab), copy_of_starter(lab))
