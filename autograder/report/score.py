"""The score of a submission: its points, the points of the whole lab, and the points that it does not include.

The terminal, the report page, the feedback, `./lab status` and the class page all show this score.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.report.number_formats import points

MANUAL = "manual grading"
OPEN = "still to be judged"


@dataclass(frozen=True)
class Score:
    """`points` of `max_points`; `not_included` lists the parts without points yet, each with its number of points."""

    points: float
    max_points: float
    not_included: tuple[tuple[str, float], ...] = ()

    @property
    def in_words(self) -> str:
        """A sentence about the parts that the score does not include; "" if it includes everything.

        Example: "Not included: throughput checks that were not run (3 points), manual grading (6 points)."
        """
        parts = [(part, f"{points(count)} point{'' if count == 1 else 's'}") for part, count in self.not_included]
        texts = [f"{count} {part}" if part == OPEN else f"{part} ({count})" for part, count in parts]
        return f"Not included: {', '.join(texts)}." if texts else ""


def score_of(score: float, max_score: float, about: Mapping[str, Any], measured: Iterable[str]) -> Score:
    """Return the score of a results object whose `streamlab.points` is `about`.

    `measured` lists the tasks whose throughput check was run. If only some tasks were judged, the maximum is their
    points. Results of an older release have an empty `about`; their maximum is `max_score`.
    """
    lab, manual, not_judged = (_count(about.get(key)) for key in ("lab", "manual", "tasks_not_judged"))
    rules = about.get("throughput")
    rules = rules if isinstance(rules, Mapping) else {}
    done = set(measured)
    not_run = sum(_count(count) for task, count in rules.items() if task not in done)
    if not lab:
        return Score(score, max_score)
    if not_judged:
        rest = round(lab - max_score - not_run, 2)
        parts = [("throughput checks that were not run", not_run), ("the rest of the lab", rest)]
        return Score(score, max_score + not_run, _nonzero(parts))
    ungraded = max(0.0, lab - manual - not_run - max_score)
    parts = [
        ("throughput checks that were not run", not_run),
        (OPEN, round(ungraded, 2)),
        (MANUAL, manual),
    ]
    return Score(score, lab, _nonzero(parts))


def _nonzero(parts: list[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((part, count) for part, count in parts if count)


def _count(value: object) -> float:
    """Return a number of points; anything else counts as 0."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < float(value) <= 1e6 else 0.0  # type: ignore[arg-type]
