"""Exporters for nbgrader's own command: `nbgrader export --exporter=autograder.grading.exports.plugins.CanvasExport`.

`--to` names the file; with several labs it names a folder, in which each lab gets its own file.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from autograder.classroom.marks import ClassMarks
from autograder.grading.exports.export_file import write_export


class PlainExport(ExportPlugin):
    """Exports all known data, one row for each student."""

    format_name = "plain"

    def export(self, gradebook: Gradebook) -> None:
        """Write a file for each requested lab, or for all labs; nbgrader calls this."""
        from autograder.classroom.folder import Classroom
        from autograder.record.gradebook import marks_of

        course = Classroom.of_this_kit().course
        wanted = set(map(str, self.assignment)) or course.labs.keys()
        labs = [each.name for each in gradebook.assignments if each.name in wanted & course.labs.keys()]
        if not labs:
            requested = ", ".join(map(str, self.assignment)) or "any lab"
            self.log.warning("Nothing to export: the gradebook has no marks for %s.", requested)
        for lab in labs:
            self._write(self._chosen(marks_of(gradebook, course, lab)), self._path(labs, lab))

    def _chosen(self, marks: ClassMarks) -> ClassMarks:
        wanted = set(map(str, self.student))
        students = tuple(each for each in marks.students if not wanted or each.student in wanted)
        return replace(marks, students=students)

    def _path(self, labs: Sequence[str], lab: str) -> Path:
        name = f"{lab}-{self.format_name}.csv"
        if len(labs) > 1:
            return Path(self.to or ".") / name
        return Path(self.to or name)

    def _write(self, marks: ClassMarks, path: Path) -> None:
        summary = write_export(marks, self.format_name, path)
        self.log.info("Wrote %s: %d students.", summary.path, summary.students)
        for warning in summary.warnings:
            self.log.warning("%s", warning)


class CanvasExport(PlainExport):
    """Exports the format that Canvas's gradebook imports."""

    format_name = "canvas"


class MoodleExport(PlainExport):
    """Exports the format that Moodle's gradebook imports."""

    format_name = "moodle"
