"""A replica without a broker, for tests: each poll reads one more mover, and every mover read is inside."""

from typing import Any

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp

SQUARE = ((((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 0.0)),),)
COWS = ["a", "b", "c"]


class Pasture:
    """Answers after all cows are read; `since_ms` of 1 or 2 makes it raise an error."""

    def __init__(self) -> None:
        self.read = 0

    def poll(self, most: int = 1) -> int:
        applied = min(1, len(COWS) - self.read)
        self.read += applied
        return applied

    def within(self, polygons: Any, since_ms: int | None = None, at_least: dict[int, int] | None = None) -> Answer:
        if since_ms == 1:
            raise KeyError("a mistake")
        if since_ms == 2:
            raise ValueError("expected a later time")
        if self.read < max(len(COWS), (at_least or {}).get(0, 0)):
            raise NotCaughtUp(f"at {self.read}")
        return Answer(COWS[: self.read], {0: self.read})


def fails() -> Pasture:
    """Raise ConnectionError, as a replica without its broker does."""
    raise ConnectionError("no broker answers")
