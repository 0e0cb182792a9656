"""For each check of a class: how many passed it, and which wrong answers came, the commonest first.

Keeps out: layout.
"""

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
    """One kind of wrong answer: who gave it, and one of them as the example."""

    verdict: str
    sentence: str
    expected: str
    got: str
    who: list[Member]


@dataclass
class CheckOfClass:
    """What came of one check, or of one throughput check, in the whole class."""

    task: str
    title: str
    passed: list[Member] = field(default_factory=list)
    unwritten: list[Member] = field(default_factory=list)
    wrong: list[Answer] = field(default_factory=list)

    @property
    def judged(self) -> int:
        """How many submissions this check was tried on."""
        return len(self.passed) + len(self.unwritten) + len(self.wrong)

    @cached_property
    def kinds(self) -> list[Kind]:
        """Kinds of wrong answers, the commonest first; read it once every answer is in."""
        return kinds_of(self.wrong)

    @property
    def told_of_others(self) -> str:
        """What the page has no room for.

        Example: "and 3 others, with 2 more kinds of answer"
        """
        others = self.kinds[KINDS_SHOWN:]
        count = sum(len(each.who) for each in others)
        kinds = f"{len(others)} more kind{'s' if len(others) > 1 else ''} of answer"
        return f"and {count} other{'s' if count > 1 else ''}, with {kinds}" if others else ""


def checks_of_class(members: Iterable[Member]) -> list[CheckOfClass]:
    """Every check, the one that fewest passed first; among equals in the order of the lab."""
    found: dict[tuple[str, str], CheckOfClass] = {}
    for member in members:
        for task in member.report.tasks if member.report and member.judged else ():
            for verdict in task.checks:
                at = found.setdefault((verdict.task, verdict.check), CheckOfClass(verdict.task, verdict.title))
                put(at, member, verdict)
    return sorted(found.values(), key=lambda each: (len(each.passed) / each.judged, -len(each.wrong)))


def put(at: CheckOfClass, member: Member, verdict: Verdict) -> None:
    """Count one more answer."""
    if verdict.verdict == "pass":
        at.passed.append(member)
    elif verdict.verdict == "skipped":
        at.unwritten.append(member)
    else:
        at.wrong.append((member, verdict))


def kinds_of(answers: Iterable[Answer]) -> list[Kind]:
    """Answers by kind, the commonest first."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for member, verdict in answers:
        found.setdefault((verdict.verdict, spelling(verdict)), []).append((member, verdict))
    return [_kind(each) for each in sorted(found.values(), key=len, reverse=True)]


def spelling(verdict: Verdict) -> str:
    """The sentence without what differs from student to student, since each has cases of its own seed.

    Words of the case are numbered in the order in which they come, so that it still shows which are the same;
    numbers of two and more digits, and numbers of lines, become #.
    Example: 'Expected ("lag1", 2); yours is ("lag1", 1).' -> 'Expected (<1>, 2); yours is (<1>, 1).'
    """
    case = verdict.evidence.smallest_case
    numbers: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        word = found[0]
        return numbers.setdefault(word, f"<{len(numbers) + 1}>") if word in case else word

    return _NUMBER.sub("#", _STRING.sub(numbered, verdict.sentence))


def _kind(alike: Sequence[Answer]) -> Kind:
    example = alike[0][1]
    return Kind(
        verdict=example.verdict,
        sentence=cut(example.sentence, _SENTENCE_CHARS),
        expected=cut(example.evidence.expected, _VALUE_CHARS),
        got=cut(example.evidence.got, _VALUE_CHARS),
        who=[member for member, _ in alike],
    )
