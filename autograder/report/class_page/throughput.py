"""Collects the ratios of each throughput check in a class, and the reasons of students without a ratio."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from autograder.report.class_page.answers import CheckOfClass, put
from autograder.report.class_page.members import Member
from autograder.report.results_view import ThroughputVerdict


@dataclass(frozen=True)
class Run:
    """One student's throughput check."""

    member: Member
    throughput: ThroughputVerdict
    ratio: float


@dataclass
class ThroughputOfClass:
    """One throughput check: the runs with a ratio, the fastest first, and the answers of students without one."""

    task: str
    title: str
    threshold: float | None
    runs: list[Run] = field(default_factory=list)
    without: CheckOfClass = field(default_factory=lambda: CheckOfClass("", ""))

    @property
    def at_the_threshold(self) -> int:
        """How many ratios reach the threshold."""
        return sum(self.threshold is None or each.ratio >= self.threshold for each in self.runs)

    @property
    def in_words(self) -> str:
        """The distribution in words.

        Example: "27 ratios from 0.61 to 2.45, median 1.52; 20 of 27 are at or over the threshold of 1.25"
        """
        ratios = [each.ratio for each in self.runs]
        if not ratios:
            return "No ratio was measured."
        threshold = (
            ""
            if self.threshold is None
            else f"; {self.at_the_threshold} of {len(ratios)} are at or over the threshold of {self.threshold:.2f}"
        )
        if len(ratios) == 1:
            return f"One ratio, {ratios[0]:.2f}{threshold}."
        return (
            f"{len(ratios)} ratios from {min(ratios):.2f} to {max(ratios):.2f}, median {median(ratios):.2f}{threshold}."
        )


def throughput_of_class(members: Iterable[Member]) -> list[ThroughputOfClass]:
    """Return every throughput check with results, in the order of the lab."""
    found: dict[tuple[str, str], ThroughputOfClass] = {}
    for member in members:
        for throughput in member.report.throughput_checks if member.report and member.judged else ():
            at = found.setdefault(
                (throughput.task, throughput.check),
                ThroughputOfClass(throughput.task, throughput.title, throughput.threshold),
            )
            if throughput.ratio is None:
                put(at.without, member, throughput)
            else:
                at.runs.append(Run(member, throughput, throughput.ratio))
    for each in found.values():
        each.runs.sort(key=lambda run: -run.ratio)
    return list(found.values())
