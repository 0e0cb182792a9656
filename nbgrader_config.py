"""nbgrader's settings for this course; autograder/record/settings.py explains each of them."""

from autograder.record.settings import configure

configure(get_config())  # noqa: F821  (nbgrader defines it)
