"""A class as its page shows it: each student with texts made safe, and what the judge found.

Keeps out: what is counted over the class.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from autograder.classroom.marks import ClassMarks, StudentMark
from autograder.intake.safe_text import points, safe
from autograder.report.results_view import VERDICTS, Report, Verdict, read_report

_ID_CHARS, _NAME_CHARS = 40, 60
_NOT_JUDGED = "Not judged:"  # how the judge begins every sentence about a file that it rejected


@dataclass(frozen=True)
class Member:
    """One student. `student` and `name` can be shown; `key` is an id on the page; `href` leads to the feedback."""

    key: str
    student: str
    name: str
    mark: StudentMark
    report: Report | None
    href: str = ""
    pseudonym: str = ""

    @property
    def handed_in(self) -> bool:
        """Whether anything came from this student."""
        return self.report is not None or self.mark.submitted_at is not None

    @property
    def rejected(self) -> bool:
        """Whether what was handed in could not be judged at all."""
        verdicts = self._verdicts
        return bool(verdicts) and all(each.sentence.startswith(_NOT_JUDGED) for each in verdicts)

    @property
    def judged(self) -> bool:
        """Whether there are verdicts."""
        return self.report is not None and not self.rejected

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How often each verdict was given, in the order of the verdicts."""
        found = Counter(each.verdict for each in self._verdicts)
        return [(verdict, found[verdict]) for verdict in VERDICTS if found[verdict]]

    @property
    def by_hand(self) -> str:
        """Points for written answers, and how many answers somebody has still to look at.

        Example: one answer with 4 points, one that nobody graded -> "4 + 1 to grade"
        """
        if self.report is None:
            return ""
        given = [each.points for each in self.mark.written if each.points is not None]
        waiting = sum(each.points is None or each.changed_since for each in self.mark.written)
        return " + ".join([points(sum(given))] * bool(given) + [f"{waiting} to grade"] * bool(waiting))

    @property
    def label(self) -> str:
        """What to call this student in a list."""
        return self.name or self.student

    @property
    def _verdicts(self) -> list[Verdict]:
        return [each for task in self.report.tasks for each in task.verdicts] if self.report else []


def members_of(
    marks: ClassMarks, feedback: Mapping[str, str] | None = None, pseudonym: Callable[[str], str] | None = None
) -> list[Member]:
    """Everybody, in the order of the marks. `feedback` has a path from the page's folder for each student."""
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
    """Text of anybody, made safe, on one line and no longer than that.

    Example: shortened("Ana Núñez", 4) -> "Ana…"
    """
    start = " ".join(text[: 2 * limit_chars].split())
    return cut(safe(start, 2 * limit_chars), limit_chars)


def cut(text: str, limit_chars: int) -> str:
    """Safe text no longer than that; one that was cut ends in "…"."""
    return text if len(text) <= limit_chars else text[: limit_chars - 1].rstrip() + "…"


def relative_href(path: str) -> str:
    """A path below the page's folder as a link that can lead nowhere else; "" for any other path.

    Example: relative_href("feedback/a b/lab.html") -> "feedback/a%20b/lab.html"
    """
    if not path or path.startswith("/") or "\\" in path or ".." in PurePosixPath(path).parts:
        return ""
    return quote(path, errors="replace")
