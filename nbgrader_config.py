"""nbgrader's settings for this course; what each of them is for stands in autograder/record/settings.py."""

from autograder.record.settings import configure

configure(get_config())  # noqa: F821  (nbgrader gives it)
