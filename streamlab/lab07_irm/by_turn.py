"""A master that chooses among idle engines by the time since when they are idle, for comparison with Lab 7's."""

from typing import Any

from streamlab.lab07_irm.datatypes import Order


class ByTurn:
    """A master that gives its registry a turn in place of a worker's number.

    The engine that was idle longest comes first with `step` 1, and the one that became idle last with `step` 0.
    """

    def __init__(self, master: Any, step: int) -> None:
        self._master, self._step, self._turn = master, step, 0
        self._images: dict[str, str] = {}

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        """Register an engine with the next turn."""
        self._images[engine] = image
        self._turn += self._step
        orders: list[Order] = self._master.idle(engine, image, self._turn)
        return orders

    def done(self, engine: str, message: str) -> list[Order]:
        """End a message; an engine that gets no other one registers again."""
        orders: list[Order] = self._master.done(engine, message)
        is_busy = any(each.what == "hand" for each in orders)
        return orders if is_busy else orders + self.idle(engine, self._images[engine])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._master, name)
