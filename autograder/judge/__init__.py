"""Judges submissions: drives each one in a sandbox, checks its rows, measures its throughput, and reports verdicts."""

from autograder.judge.batch import judge_files

__all__ = ["judge_files"]
