"""Writes the marks to a file in one format, and reports what to check before it is sent on."""

from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.marks import ClassMarks
from autograder.grading.exports import canvas, moodle, plain
from autograder.grading.exports.sheet import sheet

FORMATS = {"plain": plain.rows, "canvas": canvas.rows, "moodle": moodle.rows}
WITH_BYTE_ORDER_MARK = ("plain",)


class UnknownFormat(ValueError):
    """Raised for an unknown format; the text lists the available ones."""


@dataclass(frozen=True)
class ExportSummary:
    """The file that was written, and how many students and cells need a second look.

    `not_graded_yet` counts students who handed in work that has no recorded result, and `changed_since` those with a
    manual grade that is older than the answer or the judged result.
    """

    path: Path
    format_name: str
    lab: str
    students: int
    not_graded_yet: int
    needs_manual_grade: int
    changed_since: int
    absent: int
    guarded_cells: int

    @property
    def warnings(self) -> list[str]:
        """One sentence for each problem to check before the file is sent on."""
        sentences = []
        if self.not_graded_yet:
            who = _counted(self.not_graded_yet, "student", "handed", "handed")
            sentences.append(f"{who} in work that has no grade yet. Run `./lab grade {self.lab}`, then export again.")
        if self.needs_manual_grade:
            who = _counted(self.needs_manual_grade, "student", "still needs", "still need")
            sentences.append(f"{who} a manual grade; the total counts an ungraded answer as 0.")
        if self.changed_since:
            who = _counted(self.changed_since, "student", "has", "have")
            what = "a manual grade that is older than the answer or the judged result; the total counts it"
            sentences.append(f"{who} {what}. Check it with `./lab mark {self.lab}`.")
        if self.absent:
            sentences.append(f"{_counted(self.absent, 'student', 'handed', 'handed')} in nothing.")
        if self.guarded_cells:
            cells = _counted(self.guarded_cells, "cell", "began", "began")
            sentences.append(f"{cells} like a formula and got an apostrophe in front.")
        return sentences


def write_export(marks: ClassMarks, format_name: str, path: Path) -> ExportSummary:
    """Write `marks` to `path` in one of FORMATS; raises `UnknownFormat` for any other."""
    if format_name not in FORMATS:
        raise UnknownFormat(f"no export format {format_name!r}; the formats are {', '.join(FORMATS)}")
    written = sheet(FORMATS[format_name](marks), byte_order_mark=format_name in WITH_BYTE_ORDER_MARK)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written.content)
    graded = [each for each in marks.students if each.results is not None]
    return ExportSummary(
        path=path,
        format_name=format_name,
        lab=marks.lab,
        students=len(marks.students),
        not_graded_yet=sum(each.is_not_graded_yet for each in marks.students),
        needs_manual_grade=sum(any(one.points is None for one in each.written) for each in graded),
        changed_since=sum(any(one.changed_since for one in each.written) for each in graded),
        absent=sum(not each.has_handed_in and not each.is_excused for each in marks.students),
        guarded_cells=written.guarded,
    )


def _counted(count: int, noun: str, one: str, several: str) -> str:
    """Return a count, its noun and the verb that fits. Example: _counted(2, "cell", "is", "are") -> "2 cells are"."""
    return f"1 {noun} {one}" if count == 1 else f"{count} {noun}s {several}"
