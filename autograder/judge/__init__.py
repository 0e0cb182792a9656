"""Rows to verdicts: drive a submission in a sandbox, check its rows, throughput check it, and say what came of it."""

from autograder.judge.batch import judge_files

__all__ = ["judge_files"]
