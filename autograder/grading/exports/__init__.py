"""Export a class's marks as CSV (plain, or as Canvas's or Moodle's gradebook imports them), and its feedback pages.

Each format has a module that defines its columns; `sheet` makes the cells harmless and writes the CSV.
`feedback_archive` writes the pages, `jplag` the code for a search for plagiarism, and `plugins` has the exporters for
nbgrader's own `export` command.
"""

from autograder.grading.exports.export_file import FORMATS, ExportSummary, UnknownFormat, write_export
from autograder.grading.exports.feedback_archive import FEEDBACK_FORMATS, FeedbackSummary, write_feedback_archive
from autograder.grading.exports.jplag import FORMAT as JPLAG
from autograder.grading.exports.jplag import write_code

__all__ = [
    "FEEDBACK_FORMATS",
    "FORMATS",
    "JPLAG",
    "ExportSummary",
    "FeedbackSummary",
    "UnknownFormat",
    "write_code",
    "write_export",
    "write_feedback_archive",
]
