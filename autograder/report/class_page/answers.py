"""Counts, for each check, how many students of a class passed it, and groups the wrong answers by kind."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from statistics import correlation

from autograder.report.class_page.members import Member, cut
from autograder.report.results_view import Verdict

KINDS_SHOWN = 5
STUDENTS_FOR_DISCRIMINATION = 10
_VALUE_CHARS, _SENTENCE_CHARS = 240, 300
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"\d{2,}|(?<=line )\d+")

Answer = tuple[Member, Verdict]


@dataclass(frozen=True)
class Kind:
    """One kind of wrong answer: an example, and the students who gave such an answer."""

    verdict: str
    sentence: str
    expected: str
    got: str
    who: list[Member]


@dataclass
class CheckOfClass:
    """The answers of the whole class to one check or throughput check.

    `rest_points` has, for those who passed and for those who did not, the points for everything but this check.
    """

    task: str
    title: str
    check: str = ""
    passed: list[Member] = field(default_factory=list)
    unwritten: list[Member] = field(default_factory=list)
    wrong: list[Answer] = field(default_factory=list)
    undecided: list[Member] = field(default_factory=list)
    rest_points: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})

    @property
    def discrimination(self) -> float | None:
        """The correlation of passing with the points for everything else, from -1 to 1.

        None for fewer than ten students, and if all passed, nobody did, or all have the same points.
        """
        passed, others = self.rest_points[True], self.rest_points[False]
        points = [*passed, *others]
        if len(points) < STUDENTS_FOR_DISCRIMINATION or not passed or not others or len(set(points)) == 1:
            return None
        return correlation([*[1.0] * len(passed), *[0.0] * len(others)], points)

    @property
    def judged(self) -> int:
        """How many submissions have a verdict from this check."""
        return len(self.passed) + len(self.unwritten) + len(self.wrong)

    @cached_property
    def kinds(self) -> list[Kind]:
        """Kinds of wrong answers, the most common first; do not read it before all answers are counted."""
        return kinds_of(self.wrong)

    @property
    def others_in_words(self) -> str:
        """The kinds of answers that the page does not show.

        Example: "and 3 others, with 2 more kinds of answer"
        """
        others = self.kinds[KINDS_SHOWN:]
        count = sum(len(each.who) for each in others)
        kinds = f"{len(others)} more kind{'s' if len(others) > 1 else ''} of answer"
        return f"and {count} other{'s' if count > 1 else ''}, with {kinds}" if others else ""


def checks_of_class(members: Iterable[Member]) -> list[CheckOfClass]:
    """Return all checks, the lowest pass rate first; ties by more wrong answers first, then in the order of the lab."""
    found: dict[tuple[str, str], CheckOfClass] = {}
    for member in members:
        for task in member.report.tasks if member.report and member.judged else ():
            for verdict in task.checks:
                new = CheckOfClass(verdict.task, verdict.title, verdict.check)
                at = found.setdefault((verdict.task, verdict.check), new)
                if verdict.verdict == "inconclusive":
                    at.undecided.append(member)
                    continue
                put(at, member, verdict)
                at.rest_points[verdict.verdict == "pass"].append(member.mark.judged_points - verdict.points)
    return sorted(found.values(), key=lambda each: (len(each.passed) / (each.judged or 1), -len(each.wrong)))


@dataclass(frozen=True)
class Groups:
    """The checks of a lab by what the page says about them.

    It advises on `worst` alone. `undecided` has all checks of each task with a verdict that is still open: a check
    that looks difficult may only have met a busy machine.
    """

    worst: list[CheckOfClass]
    right: list[CheckOfClass]
    unwritten: list[CheckOfClass]
    undecided: list[CheckOfClass]
    dropped: list[CheckOfClass]


def grouped(checks: Iterable[CheckOfClass], dropped: Set[str]) -> Groups:
    """Return the checks in groups; those in `dropped` (TASK/CHECK) are not graded in this course."""
    checks = list(checks)
    graded = [each for each in checks if f"{each.task}/{each.check}" not in dropped]
    open_tasks = {each.task for each in graded if each.undecided}
    decided = [each for each in graded if each.task not in open_tasks]
    return Groups(
        worst=[each for each in decided if each.wrong],
        right=[each for each in decided if each.passed and not each.wrong],
        unwritten=[each for each in decided if not each.passed and not each.wrong],
        undecided=[each for each in graded if each.task in open_tasks],
        dropped=[each for each in checks if f"{each.task}/{each.check}" in dropped],
    )


def put(at: CheckOfClass, member: Member, verdict: Verdict) -> None:
    """Add one student's answer to a check."""
    if verdict.verdict == "pass":
        at.passed.append(member)
    elif verdict.verdict == "skipped" and not verdict.waits_for:
        at.unwritten.append(member)
    else:
        at.wrong.append((member, verdict))


def kinds_of(answers: Iterable[Answer]) -> list[Kind]:
    """Return answers grouped by kind, the most common first."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for member, verdict in answers:
        found.setdefault((verdict.verdict, spelling(verdict)), []).append((member, verdict))
    return [_kind(each) for each in sorted(found.values(), key=len, reverse=True)]


def spelling(verdict: Verdict) -> str:
    """Return the sentence without the details that differ between students, since each seed generates other cases.

    Words of the case are numbered in the order in which they appear, so equal words stay recognizable. Numbers with two
    or more digits and line numbers become #.
    Example: 'Expected ("lag1", 2); yours is ("lag1", 1).' -> 'Expected (<1>, 2); yours is (<1>, 1).'
    """
    case = verdict.evidence.smallest_case
    numbers: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        word = found[0]
        return numbers.setdefault(word, f"<{len(numbers) + 1}>") if word in case else word

    return _NUMBER.sub("#", _STRING.sub(numbered, verdict.sentence))


def _kind(answers: Sequence[Answer]) -> Kind:
    example = answers[0][1]
    return Kind(
        verdict=example.verdict,
        sentence=cut(example.sentence, _SENTENCE_CHARS),
        expected=cut(example.evidence.expected, _VALUE_CHARS),
        got=cut(example.evidence.got, _VALUE_CHARS),
        who=[member for member, _ in answers],
    )
