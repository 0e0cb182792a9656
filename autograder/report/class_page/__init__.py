"""The class page for instructors, and a leaderboard with pseudonyms for the students.

The input is a class's marks (autograder.classroom.marks).
"""

from autograder.report.class_page.leaderboard import render_leaderboard, write_leaderboard
from autograder.report.class_page.page import render_class_page, write_class_page
from autograder.report.class_page.pseudonyms import pseudonyms_of

__all__ = ["pseudonyms_of", "render_class_page", "render_leaderboard", "write_class_page", "write_leaderboard"]
