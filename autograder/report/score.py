"""The score of a submission: its points out of those of the whole lab, and in words which points are not in it.

One number everywhere: terminal, report page, feedback, `./lab status` and class page all count out of the lab's points.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.intake.safe_text import points

MANUAL = "manual grading"


@dataclass(frozen=True)
class Score:
    """`points` of `max_points`; `not_included` names what has no points yet, with how many there are."""

    points: float
    max_points: float
    not_included: tuple[tuple[str, float], ...] = ()

    @property
    def in_words(self) -> str:
        """What the score leaves out, "" where it leaves nothing out.

        Example: "Not included: throughput checks that were not run (3 points), manual grading (6 points)."
        """
        parts = [f"{what} ({points(count)} point{'' if count == 1 else 's'})" for what, count in self.not_included]
        return f"Not included: {', '.join(parts)}." if parts else ""


def score_of(score: float, max_score: float, about: Mapping[str, Any], measured: Iterable[str]) -> Score:
    """The score of a results object whose `streamlab.points` is `about`; `measured` are tasks with a throughput check.

    Where single tasks were judged, their points are what there is to get. Results of an older release have no `about`.
    """
    lab, manual, elsewhere = (_count(about.get(key)) for key in ("lab", "manual", "tasks_not_judged"))
    rules = about.get("throughput")
    rules = rules if isinstance(rules, Mapping) else {}
    done = set(measured)
    not_run = sum(_count(count) for task, count in rules.items() if task not in done)
    if not lab:
        return Score(score, max_score)
    if elsewhere:
        rest = round(lab - max_score - not_run, 2)
        parts = [("throughput checks that were not run", not_run), ("the rest of the lab", rest)]
        return Score(score, max_score + not_run, _nonzero(parts))
    ungraded = max(0.0, lab - manual - not_run - max_score)
    parts = [
        ("throughput checks that were not run", not_run),
        ("checks that could not be judged", round(ungraded, 2)),
        (MANUAL, manual),
    ]
    return Score(score, lab, _nonzero(parts))


def _nonzero(parts: list[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((what, count) for what, count in parts if count)


def _count(value: object) -> float:
    """A number of points; anything else counts as none."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < float(value) <= 1e6 else 0.0  # type: ignore[arg-type]
