"""The outcome of driving one case, before a check judges it."""

from dataclasses import dataclass, field
from typing import Any

from autograder.checks.compare import SHOWN_CHARS
from autograder.checks.cut_texts import cut

SECONDS_MAX = 86_400.0
MESSAGE_CHARS = 2 * SHOWN_CHARS


@dataclass(frozen=True)
class Outcome:
    """The outcome of one case.

    `kind` is rows, failed (the learner's code raised), timeout, died (the sandbox ended), changed (the judging code in
    the sandbox was changed, so its rows are not used), untried (in a notebook, after a case that timed out) or ungraded
    (the machine's fault). `line` and `cell` are the place of an error, where it is known. `limit_s` is the time limit
    that the case hit, or that of the longest wait that ended without its effect; `granted_s` is the time that the
    machine granted it.
    """

    kind: str
    rows: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    message: str = ""
    line: int = 0
    cell: str = ""
    seconds: float = 0.0
    limit_s: float = 0.0
    granted_s: float = 0.0

    @property
    def answer(self) -> Any:
        """What the submission wrote: its rows, its error, or the names of what it changed; None if nothing."""
        return self.rows or ([self.error, self.message, self.cell] if self.kind in ("failed", "changed") else None)


@dataclass
class Driven:
    """All outcomes of one submission, by case number, and details of its run."""

    outcomes: dict[int, Outcome] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    limits_hit: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    not_believed: int = 0
    has_started: bool = False  # whether any sandbox was ready for its order
    spent_s: dict[str, float] = field(default_factory=dict)  # of each task, the granted time of its cases together
    slowest_s: dict[str, float] = field(default_factory=dict)  # of each task, the longest granted time of a case
    most_values: dict[str, int] = field(default_factory=dict)  # of each task, in its largest answer
    load_s: float = 0.0
    spark_start_s: float = 0.0
    peak_mb: int = 0
    printed: str = ""
    sandboxes: int = 0


def outcome_of(event: dict[str, Any]) -> Outcome:
    """Return the outcome in a runner's event; a field of a wrong type becomes empty."""
    seconds, limit_s = _number(event.get("seconds")), _number(event.get("ran_out_s"))
    rows = event.get("rows")
    if event["event"] == "rows" and isinstance(rows, dict):
        return Outcome("rows", rows=rows, seconds=seconds, limit_s=limit_s)
    if event["event"] == "rows":
        return Outcome("failed", error="TypeError", message="the rows are not a JSON object", seconds=seconds)
    line = event.get("line")
    return Outcome(
        "failed",
        error=cut(str(event.get("kind", "")), SHOWN_CHARS),
        message=cut(str(event.get("message", "")), MESSAGE_CHARS),
        line=line if isinstance(line, int) else 0,
        cell=cut(str(event.get("cell", "")), SHOWN_CHARS),
        seconds=seconds,
        limit_s=limit_s,
    )


def _number(value: Any) -> float:
    """Return seconds as a number that can be shown and added up, or 0: a sandbox may report any value."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= SECONDS_MAX else 0.0
