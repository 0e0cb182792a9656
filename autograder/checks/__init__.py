"""Checks: each is a claim about one task, judged from the rows that a drive returns.

A stage's `checks.py` declares checks and throughput checks with the two decorators here and compares
rows with the functions of `autograder.checks.compare`. This package never runs a learner's code.
"""

from autograder.checks.compare import same_counts, same_items, same_sequence, same_value
from autograder.checks.registry import (
    Case,
    Check,
    Mismatch,
    Rows,
    StageChecks,
    ThroughputCheck,
    check,
    claim,
    claims,
    load_stage,
    throughput,
)

__all__ = [
    "Case",
    "Check",
    "Mismatch",
    "Rows",
    "StageChecks",
    "ThroughputCheck",
    "check",
    "claim",
    "claims",
    "load_stage",
    "same_counts",
    "same_items",
    "same_sequence",
    "same_value",
    "throughput",
]
