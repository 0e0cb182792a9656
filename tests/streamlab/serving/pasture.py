"""A replica without a broker, for tests: whoever was put is inside, and each poll reads one mover more."""

from typing import Any

from streamlab.geo import Answer, NotCaughtUp

SQUARE = ((((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 0.0)),),)
COWS = ["a", "b", "c"]


class Pasture:
    """Answers when all cows were read; what its code may do wrong is asked for by `since_ms`."""

    def __init__(self, must_wait: bool = True) -> None:
        self.read, self.must_wait = 0, must_wait

    def poll(self, most: int = 1) -> int:
        applied = min(1, len(COWS) - self.read)
        self.read += applied
        return applied

    def within(self, polygons: Any, since_ms: int | None = None, at_least: dict[int, int] | None = None) -> Answer:
        if since_ms == 1:
            raise KeyError("a mistake")
        if since_ms == 2:
            raise ValueError("expected a later time")
        if self.must_wait and (self.read < len(COWS) or self.read < (at_least or {}).get(0, 0)):
            raise NotCaughtUp(f"at {self.read}")
        return Answer(COWS[: self.read], {0: self.read})


def fails() -> Pasture:
    """As a replica whose broker is gone."""
    raise ConnectionError("no broker answers")
