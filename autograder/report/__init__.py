"""Verdicts for people: a table on the terminal and one self-contained HTML file.

Input is the results object that the judge writes. Keeps out: judging, reading submissions, grade books.
"""

from autograder.report.cell import render_checks
from autograder.report.html import render_html, write_html
from autograder.report.terminal import print_checks, print_overview, print_results

__all__ = ["print_checks", "print_overview", "print_results", "render_checks", "render_html", "write_html"]
