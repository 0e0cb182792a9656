"""The page of a class for whoever teaches it, and a leaderboard under pseudonyms for the class itself.

Input is a class's marks (autograder.grading.marks). Keeps out: the gradebook, judging.
"""

from autograder.report.classroom.leaderboard import render_leaderboard, write_leaderboard
from autograder.report.classroom.page import render_class_page, write_class_page
from autograder.report.classroom.pseudonyms import pseudonyms_of

__all__ = ["pseudonyms_of", "render_class_page", "render_leaderboard", "write_class_page", "write_leaderboard"]
