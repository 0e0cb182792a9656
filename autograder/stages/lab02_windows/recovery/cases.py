"""Seeded cases of `recoverable_counts`: files of lines that arrive one after another."""

from autograder.checks import Case
from autograder.checks.seeds import random_for, zipf_lines


def files(seed: str) -> list[Case]:
    """Return three files that one run reads from beginning to end."""
    rng = random_for(seed, "files")
    three = [["to be or not", "to be"], ["not to be", *zipf_lines(rng, 2, 5)], zipf_lines(rng, 2, 5)]
    return [{"files": three, "kill_after_files": None}]


def killed(seed: str) -> list[Case]:
    """Return two files; the run is killed after the first and restarted. Each file has a word of its own."""
    rng = random_for(seed, "killed")
    two = [[f"first{number} again", *zipf_lines(rng, 2, 4)] for number in range(2)]
    return [{"files": two, "kill_after_files": 1}]
