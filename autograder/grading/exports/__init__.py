"""Export a class's marks as CSV: plain, or in the format that Canvas's or Moodle's gradebook imports.

Each format has a module that defines its columns; `sheet` makes the cells harmless and writes the CSV.
`plugins` has the exporters for nbgrader's own `export` command.
"""

from autograder.grading.exports.export_file import FORMATS, ExportSummary, UnknownFormat, write_export

__all__ = ["FORMATS", "ExportSummary", "UnknownFormat", "write_export"]
