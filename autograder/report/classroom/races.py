"""Each race of a class: everybody's ratio, and why there is none where there is none.

Keeps out: pictures.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from autograder.report.classroom.answers import CheckOfClass, put
from autograder.report.classroom.members import Member
from autograder.report.reading import RaceVerdict


@dataclass(frozen=True)
class Run:
    """One student's race."""

    member: Member
    race: RaceVerdict
    ratio: float


@dataclass
class RaceOfClass:
    """One race: runs with a ratio, the fastest first, and the answers of those without one."""

    task: str
    title: str
    bar: float | None
    runs: list[Run] = field(default_factory=list)
    without: CheckOfClass = field(default_factory=lambda: CheckOfClass("", ""))

    @property
    def at_the_bar(self) -> int:
        """How many ratios reach the bar."""
        return sum(self.bar is None or each.ratio >= self.bar for each in self.runs)

    @property
    def told(self) -> str:
        """The distribution in words.

        Example: "27 ratios from 0.61 to 2.45, median 1.52; 20 of 27 are at or over the bar of 1.25"
        """
        ratios = [each.ratio for each in self.runs]
        if not ratios:
            return "No ratio was measured."
        bar = (
            "" if self.bar is None else f"; {self.at_the_bar} of {len(ratios)} are at or over the bar of {self.bar:.2f}"
        )
        if len(ratios) == 1:
            return f"One ratio, {ratios[0]:.2f}{bar}."
        return f"{len(ratios)} ratios from {min(ratios):.2f} to {max(ratios):.2f}, median {median(ratios):.2f}{bar}."


def races_of_class(members: Iterable[Member]) -> list[RaceOfClass]:
    """Every race that was asked for, in the order of the lab."""
    found: dict[tuple[str, str], RaceOfClass] = {}
    for member in members:
        for race in member.report.races if member.report and member.judged else ():
            at = found.setdefault((race.task, race.check), RaceOfClass(race.task, race.title, race.bar))
            if race.ratio is None:
                put(at.without, member, race)
            else:
                at.runs.append(Run(member, race, race.ratio))
    for each in found.values():
        each.runs.sort(key=lambda run: -run.ratio)
    return list(found.values())
