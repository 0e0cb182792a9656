"""The members of a class as its page shows them: each student with safe texts, mark and verdicts."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.intake.safe_text import safe
from autograder.report.number_formats import points
from autograder.report.results_view import VERDICTS, Report, Verdict, read_report

_ID_CHARS, _NAME_CHARS = 40, 60
_NOT_JUDGED = "Not judged:"  # the judge begins every sentence about a rejected file with this


@dataclass(frozen=True)
class Member:
    """One student. `student` and `name` are safe to show; `key` is an id on the page; `href` links to the feedback."""

    key: str
    student: str
    name: str
    mark: StudentMark
    report: Report | None
    href: str = ""
    pseudonym: str = ""

    @property
    def handed_in(self) -> bool:
        """Whether this student handed in anything."""
        return self.mark.has_handed_in

    @property
    def rejected(self) -> bool:
        """Whether the submission could not be judged at all."""
        verdicts = self._verdicts
        return bool(verdicts) and all(each.sentence.startswith(_NOT_JUDGED) for each in verdicts)

    @property
    def judged(self) -> bool:
        """Whether the submission has verdicts."""
        return self.report is not None and not self.rejected

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How often each verdict occurs, in the order of VERDICTS."""
        found = Counter(each.verdict for each in self._verdicts)
        return [(verdict, found[verdict]) for verdict in VERDICTS if found[verdict]]

    @property
    def by_hand(self) -> str:
        """Points for written answers, and how many answers still need a manual grade.

        Example: one answer with 4 points, one ungraded -> "4 + 1 to grade"
        """
        if self.report is None:
            return ""
        graded = [each.points for each in self.mark.written if each.points is not None]
        waiting = sum(each.points is None or each.changed_since for each in self.mark.written)
        return " + ".join([points(sum(graded))] * bool(graded) + [f"{waiting} to grade"] * bool(waiting))

    @property
    def label(self) -> str:
        """The student's name in a list, or the id if the name is unknown."""
        return self.name or self.student

    @property
    def _verdicts(self) -> list[Verdict]:
        return [each for task in self.report.tasks for each in task.verdicts] if self.report else []


def members_of(
    marks: ClassMarks, feedback: Mapping[str, str] | None = None, pseudonym: Callable[[str], str] | None = None
) -> list[Member]:
    """Return all students in the order of the marks; `feedback` maps them to paths relative to the page's folder."""
    hrefs = feedback or {}
    return [
        Member(
            key=f"student-{at}",
            student=shortened(mark.student, _ID_CHARS),
            name=shortened(f"{mark.first_name} {mark.last_name}".strip(), _NAME_CHARS),
            mark=mark,
            report=read_report(mark.results) if mark.results is not None else None,
            href=relative_href(hrefs.get(mark.student, "")),
            pseudonym=shortened(pseudonym(mark.student), _NAME_CHARS) if pseudonym else "",
        )
        for at, mark in enumerate(marks.students, start=1)
    ]


def shortened(text: str, limit_chars: int) -> str:
    """Return any text made safe, on one line and at most `limit_chars` long.

    Example: shortened("Ana Núñez", 4) -> "Ana…"
    """
    start = " ".join(text[: 2 * limit_chars].split())
    return cut(safe(start, 2 * limit_chars), limit_chars)


def cut(text: str, limit_chars: int) -> str:
    """Return safe text cut to `limit_chars`; a cut text ends in "…"."""
    return text if len(text) <= limit_chars else text[: limit_chars - 1].rstrip() + "…"


def relative_href(path: str) -> str:
    """Return a path below the page's folder as a link; "" for a path that could lead anywhere else.

    Example: relative_href("feedback/a b/lab.html") -> "feedback/a%20b/lab.html"
    """
    if not path or path.startswith("/") or "\\" in path or ".." in PurePosixPath(path).parts:
        return ""
    return quote(path, errors="replace")
