"""Take in one file that a learner handed over: a regular file, readable, of a known lab."""

from autograder.intake.submission import Rejected, Submission, take_in, take_in_file

__all__ = ["Rejected", "Submission", "take_in", "take_in_file"]
