"""Rows to verdicts: drive a submission in a sandbox, check its rows, race it, and say what came of it."""

from autograder.judge.judging import judge_files

__all__ = ["judge_files"]
