"""Reports verdicts to people: as text on the terminal, and as one self-contained HTML file.

The input is the results object that the judge writes.
"""

from autograder.report.cell import render_checks
from autograder.report.html import render_html, write_html
from autograder.report.terminal import print_checks, print_overview, print_results

__all__ = ["print_checks", "print_overview", "print_results", "render_checks", "render_html", "write_html"]
