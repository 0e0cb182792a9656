"""Seeded cases of `sample_hot_keys`: a small ordinary one first, then edge values, then skewed keys."""

from autograder.checks import Case
from autograder.checks.seeds import random_for, zipf_words


def skewed_keys(seed: str) -> list[Case]:
    """Return thresholds that a count just reaches or misses, no keys, blank keys, and keys that differ in case."""
    rng = random_for(seed, "skewed keys")
    edges = [(["a"], 1), (["a", "b", "a"], 2), (["a", "a"], 3), ([], 1), (["", " ", "", "A", "a"], 1)]
    skewed = [zipf_words(rng, count) for count in (10, 20, 40)]
    drawn = [(keys, keys.count(rng.choice(keys))) for keys in skewed]
    return [{"keys": keys, "at_least": at_least} for keys, at_least in [*edges, *drawn]]


def thresholds(seed: str) -> list[Case]:
    """Return valid thresholds, which no count equals (the other check tests that), and thresholds below 1."""
    rng = random_for(seed, "thresholds")
    twice = zipf_words(rng, 1) * 2
    pairs = [(twice, 1), (twice, 0), (twice, -1), ([], 0), (twice, -rng.randint(2, 99))]
    return [{"keys": keys, "at_least": at_least} for keys, at_least in pairs]
