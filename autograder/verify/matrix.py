"""The matrix of self-verification: which check caught which mutant, and a sentence for every hole.

All functions are pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.judge.audit_findings import SENTENCES
from autograder.judge.results import FORGED
from autograder.judge.verdicts import Verdict
from autograder.verify.variants import Variant

Results = dict[str, Any]


@dataclass(frozen=True)
class Mark:
    """The verdict and points of one check."""

    task: str
    check: str
    verdict: str
    points: float
    max_points: float
    sentence: str

    @property
    def is_full(self) -> bool:
        """Whether no points were lost."""
        return self.points == self.max_points


def marks_of(verdicts: Iterable[Verdict]) -> list[Mark]:
    """Return the marks of verdicts."""
    return [Mark(v.task, v.check, v.verdict, v.points, v.max_points, v.sentence) for v in verdicts]


def marks_in(results: Results) -> list[Mark]:
    """Return the marks of a results object, including throughput checks."""
    names = ("task", "check", "verdict", "points", "max_points", "sentence")
    claims = [*results["streamlab"]["checks"], *results["streamlab"]["throughput"]]
    return [Mark(*(claim[name] for name in names)) for claim in claims]


@dataclass(frozen=True)
class Row:
    """One mutant and the checks that caught it."""

    mutant: Variant
    caught_by: frozenset[str]

    @property
    def missed_by(self) -> list[str]:
        """The declared checks that gave full marks."""
        return sorted(self.mutant.killed_by - self.caught_by)

    @property
    def undeclared(self) -> list[str]:
        """The checks that took points though the mutant does not declare them."""
        return sorted(self.caught_by - self.mutant.killed_by)

    def holes(self) -> list[str]:
        """Return a sentence for each disagreement."""
        name = f"{self.mutant.task}: mutant {self.mutant.name}"
        missed = [f"{name} got full marks from {check}, which must catch it" for check in self.missed_by]
        return missed + [f"{name} lost points in {check}, which it does not declare" for check in self.undeclared]


def caught_by(marks: Iterable[Mark]) -> frozenset[str]:
    """Return the checks that did not give full marks."""
    return frozenset(mark.check for mark in marks if not mark.is_full)


def checks_without_mutant(rows: Iterable[Row], names: Iterable[str]) -> list[str]:
    """Return a sentence for each check that caught no mutant."""
    caught = {name for row in rows for name in row.caught_by & row.mutant.killed_by}
    return [
        f"the check {name} caught no mutant: nothing shows that it can fail" for name in names if name not in caught
    ]


def full_marks(what: str, marks: Iterable[Mark]) -> list[str]:
    """Return a sentence for each check in which right work lost points."""
    return [f"{what} lost points in {mark.task}/{mark.check}: {mark.sentence}" for mark in marks if not mark.is_full]


def no_marks(what: str, marks: Iterable[Mark]) -> list[str]:
    """Return a sentence if the starter got points."""
    got = [f"{mark.task}/{mark.check}" for mark in marks if mark.points]
    return [f"{what} got points in {', '.join(got)}"] if got else []


def accused(what: str, notes: Iterable[str]) -> list[str]:
    """Return a sentence for each note that accuses harmless work of an attack."""
    accusing = (
        *(f"It {words.partition('{')[0].strip()}" for words in SENTENCES.values()),
        "It changed the judging",
        FORGED,
    )
    return [f"{what} attacks nothing, but the report says: {note}" for note in notes if note.startswith(accusing)]


def same_verdicts(first: Sequence[Mark], run: Sequence[Mark], number: int) -> list[str]:
    """Return a sentence for each check whose verdict in a later run of the same work differs from the first run's."""
    before = {(mark.task, mark.check): mark for mark in first}
    pairs = [(before[(mark.task, mark.check)], mark) for mark in run]
    return [
        f"{now.check} was {was.verdict} in run 1 and {now.verdict} in run {number}: {now.sentence}"
        for was, now in pairs
        if was != now
    ]
