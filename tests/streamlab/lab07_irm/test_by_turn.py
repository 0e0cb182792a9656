"""Masters that choose among idle engines by the time since when they are idle."""

import pytest

from streamlab.lab07_irm.by_turn import ByTurn
from streamlab.lab07_irm.datatypes import Order


class LowestFirst:
    """Push to the idle engine with the lowest number; of several, the one that became idle last."""

    def __init__(self) -> None:
        self.idle_engines: list[tuple[int, str]] = []

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        self.idle_engines = [(worker, engine), *(each for each in self.idle_engines if each[1] != engine)]
        return []

    def offer(self, message: str, image: str) -> list[Order]:
        self.idle_engines.sort(key=lambda each: each[0])
        return [Order("push", message, self.idle_engines.pop(0)[1])]

    def done(self, engine: str, message: str) -> list[Order]:
        return self.idle(engine, "cells", 7)


@pytest.mark.parametrize(("step", "expected"), [(1, ["b", "a"]), (0, ["a", "b"])])
def test_the_step_decides_whether_the_engine_that_was_idle_longest_comes_first(step: int, expected: list[str]) -> None:
    master = ByTurn(LowestFirst(), step)
    master.idle("a", "cells", 3)
    master.offer("m1", "cells")
    master.idle("b", "cells", 5)
    master.done("a", "m1")

    assert [order.engine for name in ("m2", "m3") for order in master.offer(name, "cells")] == expected
