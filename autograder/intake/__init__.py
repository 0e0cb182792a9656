"""Take in one file that a learner handed over: a regular file, readable, of a known lab."""

from autograder.intake.submission import Refused, Submission, take_in, take_in_file

__all__ = ["Refused", "Submission", "take_in", "take_in_file"]
