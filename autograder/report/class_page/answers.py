"""Counts, for each check, how many students of a class passed it, and groups the wrong answers by kind."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.report.class_page.members import Member, cut
from autograder.report.results_view import Verdict

KINDS_SHOWN = 5
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
    """The answers of the whole class to one check or throughput check."""

    task: str
    title: str
    passed: list[Member] = field(default_factory=list)
    unwritten: list[Member] = field(default_factory=list)
    wrong: list[Answer] = field(default_factory=list)

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
                at = found.setdefault((verdict.task, verdict.check), CheckOfClass(verdict.task, verdict.title))
                put(at, member, verdict)
    return sorted(found.values(), key=lambda each: (len(each.passed) / each.judged, -len(each.wrong)))


def put(at: CheckOfClass, member: Member, verdict: Verdict) -> None:
    """Add one student's answer to a check."""
    if verdict.verdict == "pass":
        at.passed.append(member)
    elif verdict.verdict == "skipped":
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
