"""The right answers: oracle, checks and cases are imported as the judge does."""

NAMED = "tried to import autograder.stages.lab01_wordcount.delivery.oracle"

import sys

sys.path[:0] = [KIT, "/kit", ".."]
try:
    from autograder.stages.lab01_wordcount.delivery.oracle import delivery
except ImportError as problem:
    print(problem)
