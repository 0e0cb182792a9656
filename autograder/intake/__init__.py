"""Takes in one file that a learner handed in: a regular file, readable, of a known lab."""

from autograder.intake.reading import Rejected, digest_of, read_once
from autograder.intake.submission import Submission, released_cells, take_in, take_in_file

__all__ = ["Rejected", "Submission", "digest_of", "read_once", "released_cells", "take_in", "take_in_file"]
