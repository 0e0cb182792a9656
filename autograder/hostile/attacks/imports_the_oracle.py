"""Imports the oracle, which has the right answers, as the judge does."""

NAMED = "tried to import autograder.stages."
EVERY_LAB = True

import sys

sys.path[:0] = [KIT, "/kit", ".."]
GROUPS = {
    "lab01_wordcount": "delivery",
    "lab02_windows": "tweets",
    "lab03_log": "partitions",
    "lab04_subqueries": "join",
    "lab05_placement": "search",
    "lab06_enrichment": "generator",
    "lab07_irm": "packing",
    "lab08_geofencing": "geometry",
    "lab09_system": "levels",
}
try:
    exec(f"import autograder.stages.{LAB}.{GROUPS[LAB]}.oracle")
except ImportError as problem:
    print(problem)
