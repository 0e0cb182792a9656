"""The results of a verification, part by part, and how to print them as lines and as JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

from autograder.hostile.trial import AttackResult, table
from autograder.intake.safe_text import safe
from autograder.verify.matrix import Row

HOLE_CHARS = 900


@dataclass(frozen=True)
class PartResult:
    """One line of the table."""

    name: str
    outcome: str
    seconds: float


@dataclass
class Report:
    """The rows of the matrix, one result for each part, the fate of each attack, figures, and the holes."""

    lab: str
    rows: list[Row] = field(default_factory=list)
    parts: list[PartResult] = field(default_factory=list)
    attacks: list[AttackResult] = field(default_factory=list)
    holes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def part(self, name: str, outcome: str, holes: list[str], seconds: float = 0.0) -> None:
        """Record the result of one part."""
        result = outcome if not holes else f"{len(holes)} hole{'s' if len(holes) > 1 else ''} ({outcome})"
        self.parts.append(PartResult(name, result, round(seconds, 1)))
        self.holes += holes

    @contextmanager
    def timed(self, name: str) -> Iterator["Finding"]:
        """Record a part whose block sets `outcome` and `holes`, and measure its seconds."""
        began, found = monotonic(), Finding()
        yield found
        self.part(name, found.outcome, found.holes, monotonic() - began)

    def lines(self) -> Iterator[str]:
        """Yield the report as plain lines."""
        for row in self.rows:
            declared = sorted(row.caught_by & row.mutant.killed_by)
            wrong = [f"MISSED {name}" for name in row.missed_by] + [f"UNDECLARED {name}" for name in row.undeclared]
            if declared or wrong:
                yield row.mutant.name
                yield f"    caught by {', '.join([*declared, *wrong])}"
        yield from table(self.attacks)
        for part in self.parts:
            yield f"{self.lab} · {part.name:<22}{part.seconds:>6.1f} s  {part.outcome}"
        for hole in self.holes:
            yield f"hole: {safe(hole, HOLE_CHARS)}"

    def as_json(self) -> dict[str, Any]:
        """Return the report as `--json` writes it."""
        return {
            "lab": self.lab,
            "parts": {part.name: part.outcome for part in self.parts},
            "seconds": {part.name: part.seconds for part in self.parts},
            "holes": self.holes,
            "figures": self.figures,
            "attacks": [asdict(fate) for fate in self.attacks],
            "matrix": [_as_json(row) for row in self.rows],
        }


@dataclass
class Finding:
    """The findings of a timed block."""

    outcome: str = ""
    holes: list[str] = field(default_factory=list)


def _as_json(row: Row) -> dict[str, Any]:
    mutant = row.mutant
    return {
        "task": mutant.task,
        "mutant": mutant.name,
        "declared": sorted(mutant.killed_by),
        "caught_by": sorted(row.caught_by),
    }
