"""Reads a results object (a plain dict) into a `Report`, with every text made safe, for terminal and HTML.

A results object may come from an older release or be truncated, so every missing field has a default.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.intake.safe_text import safe
from autograder.report.number_formats import points as as_points
from autograder.report.score import Score, score_of

VERDICTS = ("pass", "fail", "error", "timeout", "inconclusive", "skipped")
_UNIT_CHARS, _NAME_CHARS, _SENTENCE_CHARS, _VALUE_CHARS = 20, 120, 1_500, 20_000
_NOTES_MAX, _PAIRS_MAX, _NUMBER_MAX = 50, 200, 1e15


@dataclass(frozen=True)
class Evidence:
    """The evidence of a check, as texts; "" if the judge gave none."""

    expected: str = ""
    got: str = ""
    smallest_case: str = ""
    invariant: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Verdict:
    """The verdict of one check; a skipped one may wait for another check, which explains its failure."""

    task: str
    check: str
    title: str
    verdict: str
    points: float
    max_points: float
    sentence: str
    evidence: Evidence
    seconds: float | None
    waits_for: str = ""


@dataclass(frozen=True)
class Pair:
    """One turn of a throughput check: both sides' rates per second."""

    rate_per_s: float
    baseline_per_s: float

    @property
    def ratio(self) -> float:
        """The learner's rate divided by the baseline's."""
        return self.rate_per_s / self.baseline_per_s


@dataclass(frozen=True)
class ThroughputVerdict(Verdict):
    """The verdict of a throughput check; `ratio` is the ratio of the medians, from `low` to `high` is its interval."""

    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    threshold: float | None = None
    pairs: int = 0
    unit: str = "units"
    rate_per_s: float | None = None
    baseline_per_s: float | None = None
    samples: tuple[Pair, ...] = ()


@dataclass(frozen=True)
class TaskReport:
    """The verdicts on one task, throughput checks last. The points of a bonus task are not in the report's."""

    name: str
    is_bonus: bool = False
    checks: list[Verdict] = field(default_factory=list)
    throughput_checks: list[ThroughputVerdict] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The task's name, with a star if it is a bonus task."""
        return f"★ {self.name}" if self.is_bonus else self.name

    @property
    def verdicts(self) -> list[Verdict]:
        """Checks, then throughput checks."""
        return [*self.checks, *self.throughput_checks]

    @property
    def points(self) -> float:
        """Points earned."""
        return sum(each.points for each in self.verdicts)

    @property
    def max_points(self) -> float:
        """Points available."""
        return sum(each.max_points for each in self.verdicts)

    @property
    def passed(self) -> int:
        """How many verdicts are a pass."""
        return sum(each.verdict == "pass" for each in self.verdicts)

    @property
    def verdict(self) -> str:
        """`pass` if everything passed, otherwise the verdict that needs the learner's attention first."""
        seen = {each.verdict for each in self.verdicts}
        return next((each for each in (*VERDICTS[1:], "pass") if each in seen), "skipped")


@dataclass(frozen=True)
class Report:
    """One submission's results, ready to be laid out."""

    course: str
    lab: str
    title: str
    release: str
    submission: str
    sandbox: str
    seed_id: str
    score: Score
    tasks: list[TaskReport]
    notes: list[str]
    fallbacks: list[str]
    limits_hit: list[str]
    ungraded: list[str]
    timing: dict[str, float]
    bonus_is_extra_credit: bool = False

    @property
    def points(self) -> float:
        """Points earned so far."""
        return self.score.points

    @property
    def max_points(self) -> float:
        """Points of the whole lab, or of the judged tasks if only some were judged."""
        return self.score.max_points

    @property
    def passed(self) -> int:
        """How many verdicts are a pass, without bonus tasks."""
        return sum(task.passed for task in self.tasks if not task.is_bonus)

    @property
    def count(self) -> int:
        """How many verdicts the report has, without bonus tasks."""
        return sum(len(task.verdicts) for task in self.tasks if not task.is_bonus)

    @property
    def bonus(self) -> str:
        """A sentence about the bonus tasks, or "". Example: "★ Bonus: 2 of 4 points, not in the mark."."""
        tasks = [task for task in self.tasks if task.is_bonus]
        if not tasks:
            return ""
        earned, most = (sum(getattr(task, key) for task in tasks) for key in ("points", "max_points"))
        where = "added to the mark as extra credit" if self.bonus_is_extra_credit else "not in the mark"
        return f"★ Bonus: {as_points(earned)} of {as_points(most)} points, {where}."

    @property
    def throughput_checks(self) -> list[ThroughputVerdict]:
        """The throughput checks of all tasks."""
        return [throughput for task in self.tasks for throughput in task.throughput_checks]

    @property
    def isolated(self) -> bool:
        """Whether the submission was kept away from the judge's files and processes."""
        return self.sandbox in ("bubblewrap", "container")

    @property
    def percent(self) -> int:
        """Share of the points in per cent, rounded down: 100 means all points."""
        return math.floor(100 * self.points / self.max_points + 1e-9) if self.max_points else 0


def read_report(results: Mapping[str, Any]) -> Report:
    """Return one results object as a `Report`."""
    ours = _mapping(results.get("streamlab"))
    lab = safe(ours.get("lab") or "unknown lab", _NAME_CHARS)
    return Report(
        course=safe(ours.get("course") or "StreamLab", _NAME_CHARS),
        lab=lab,
        title=safe(ours.get("lab_title") or lab, _NAME_CHARS),
        release=safe(ours.get("release"), _NAME_CHARS),
        submission=safe(ours.get("submission") or "submission", _NAME_CHARS),
        sandbox=safe(ours.get("sandbox") or "process", _NAME_CHARS),
        seed_id=safe(ours.get("seed_id"), _NAME_CHARS),
        score=_score(results, ours),
        tasks=_tasks(ours),
        notes=_sentences(ours.get("notes")),
        fallbacks=_sentences(ours.get("fallbacks")),
        limits_hit=_sentences(ours.get("limits_hit")),
        ungraded=_sentences(ours.get("ungraded")),
        timing=_timing(ours.get("timing")),
        bonus_is_extra_credit=_mapping(ours.get("bonus")).get("is_extra_credit") is True,
    )


def _score(results: Mapping[str, Any], ours: Mapping[str, Any]) -> Score:
    measured = [str(each.get("task")) for each in _mappings(ours.get("throughput"))]
    score, most = (_number(results.get(key)) or 0.0 for key in ("score", "max_score"))
    return score_of(score, most, _mapping(ours.get("points")), measured)


def _tasks(ours: Mapping[str, Any]) -> list[TaskReport]:
    """Return the tasks in the order of their first check.

    A throughput check that is also listed as a check appears once, as a throughput check.
    """
    seconds = _mapping(_mapping(ours.get("timing")).get("checks_s"))
    checks = {_key(each): {**each, "seconds": seconds.get(_key(each))} for each in _mappings(ours.get("checks"))}
    throughput_checks = {
        _key(each): {**checks.get(_key(each), {}), **each} for each in _mappings(ours.get("throughput"))
    }
    named = _mapping(ours.get("bonus")).get("tasks")
    bonus = {safe(each, _NAME_CHARS) for each in named} if isinstance(named, list | tuple) else set()
    tasks = {
        name: TaskReport(name, name in bonus)
        for name in (_task_name(each) for each in [*checks.values(), *throughput_checks.values()])
    }
    for key, each in checks.items():
        if key not in throughput_checks:
            task = tasks[_task_name(each)]
            verdict = Verdict(**_verdict(each))
            task.checks.append(replace(verdict, title=f"★ {verdict.title}") if task.is_bonus else verdict)
    for each in throughput_checks.values():
        tasks[_task_name(each)].throughput_checks.append(_throughput(each))
    return list(tasks.values())


def _key(item: Mapping[str, Any]) -> str:
    """Return a check's name in `timing.checks_s`: "count_words/every_occurrence_is_counted_once"."""
    return f"{item.get('task')}/{item.get('check')}"


def _task_name(item: Mapping[str, Any]) -> str:
    return safe(item.get("task") or "unknown task", _NAME_CHARS)


def _verdict(item: Mapping[str, Any]) -> dict[str, Any]:
    check = safe(item.get("check") or "throughput", _NAME_CHARS)
    verdict = item.get("verdict")
    return {
        "task": _task_name(item),
        "check": check,
        "title": safe(item.get("title") or check.replace("_", " "), _NAME_CHARS),
        "verdict": verdict if verdict in VERDICTS else "error",
        "points": _number(item.get("points")) or 0.0,
        "max_points": _number(item.get("max_points")) or 0.0,
        "sentence": safe(item.get("sentence"), _SENTENCE_CHARS, multiline=True).strip(),
        "evidence": _evidence(item.get("evidence")),
        "seconds": _number(item.get("seconds")),
        "waits_for": safe(item.get("waits_for"), _NAME_CHARS),
    }


def _evidence(value: object) -> Evidence:
    parts = _mapping(value)
    return Evidence(
        expected=safe(parts.get("expected"), _VALUE_CHARS, multiline=True),
        got=safe(parts.get("got"), _VALUE_CHARS, multiline=True),
        smallest_case=safe(parts.get("smallest_case"), _VALUE_CHARS, multiline=True),
        invariant=_labelled(safe(parts.get("invariant"), _SENTENCE_CHARS), "Invariant"),
        hint=_labelled(safe(parts.get("hint"), _SENTENCE_CHARS), "Hint"),
    )


def _labelled(text: str, label: str) -> str:
    return text if not text or text.startswith(label) else f"{label}: {text}"


def _throughput(item: Mapping[str, Any]) -> ThroughputVerdict:
    samples = _pairs(item.get("samples"))
    return ThroughputVerdict(
        **_verdict(item),
        ratio=_number(item.get("ratio")),
        low=_number(item.get("low")),
        high=_number(item.get("high")),
        threshold=_number(item.get("threshold")),
        pairs=int(_number(item.get("pairs")) or len(samples)),
        unit=safe(item.get("unit") or "units", _UNIT_CHARS),
        rate_per_s=_number(item.get("rate_per_s")),
        baseline_per_s=_number(item.get("baseline_per_s")),
        samples=samples,
    )


def _pairs(value: object) -> tuple[Pair, ...]:
    rows = value if isinstance(value, list | tuple) else []
    pairs = [[_number(rate) for rate in row] for row in rows if isinstance(row, list | tuple) and len(row) == 2]
    kept = [Pair(mine, baseline) for mine, baseline in pairs if mine is not None and baseline]
    return tuple(each for each in kept[:_PAIRS_MAX] if each.rate_per_s >= 0 and each.baseline_per_s > 0)


def _number(value: object) -> float | None:
    """Return a number that can be shown, otherwise None, as for JSON's NaN and Infinity."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _NUMBER_MAX:
        return None
    return float(value)


def _sentences(value: object) -> list[str]:
    """Return a list of sentences; an item that is an object contributes its `sentence`."""
    items = value if isinstance(value, list | tuple) else []
    texts = [each.get("sentence", each) if isinstance(each, Mapping) else each for each in items]
    return [safe(each, _SENTENCE_CHARS, multiline=True) for each in texts[:_NOTES_MAX] if each]


def _timing(value: object) -> dict[str, float]:
    numbers = {safe(name, _NAME_CHARS): _number(each) for name, each in _mapping(value).items()}
    return {name: each for name, each in numbers.items() if each is not None}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []
