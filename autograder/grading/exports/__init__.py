"""A class's marks as CSV: plain, or as Canvas's or Moodle's gradebook takes them in.

One module for each format says which columns there are; `sheet` makes the cells harmless and writes the file.
Keeps out: the gradebook. For nbgrader's own `export` command see autograder.grading.exports.plugins.
"""

from autograder.grading.exports.export_file import FORMATS, ExportSummary, UnknownFormat, write_export

__all__ = ["FORMATS", "ExportSummary", "UnknownFormat", "write_export"]
