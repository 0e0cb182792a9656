"""Runs a verb with `python -m autograder.cli`; a user's mistake is one line on stderr and exit code 2."""

from autograder.cli.main import run

run()
