"""The neighbours of `Autoscaler` in the virtual system. They follow other rules than the tasks of this lab.

`LargestOfAll` and `Shelf` have the methods of Lab 2's SlidingMax and Lab 7's FirstFit.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from streamlab.lab09_system import Order
from streamlab.lab09_system.virtual import RULES, System


class LargestOfAll:
    """Keeps the values of a window in a list."""

    def __init__(self) -> None:
        self._values: list[int] = []

    def add(self, value: int) -> None:
        """Add the newest value."""
        self._values.append(value)

    def expire(self) -> None:
        """Remove the oldest value. Raises ValueError if there is none."""
        if not self._values:
            raise ValueError("expire() needs a value in the window, and it is empty")
        del self._values[0]

    def result(self) -> int:
        """Return the largest value."""
        return max(self._values)


class Shelf:
    """Puts things on the first worker with room, which it finds by a scan."""

    def __init__(self, capacity: int = 1000) -> None:
        self._capacity, self._things = capacity, dict[str, tuple[int, int]]()

    @property
    def used(self) -> int:
        """The number of the highest worker with a thing, plus one."""
        return max((worker + 1 for worker, _ in self._things.values()), default=0)

    def free(self) -> list[int]:
        """Return the free space of each used worker."""
        sums = [sum(size for at, size in self._things.values() if at == worker) for worker in range(self.used)]
        return [self._capacity - each for each in sums]

    def place(self, thing: str, size: int) -> int:
        """Place a thing; return its worker. Raises ValueError if it has a place or does not fit into any worker."""
        if thing in self._things or not 0 < size <= self._capacity:
            raise ValueError(f"{thing} of size {size} cannot be placed; the capacity is {self._capacity}")
        worker = next(at for at, free in enumerate([*self.free(), self._capacity]) if size <= free)
        self._things[thing] = worker, size
        return worker

    def remove(self, thing: str) -> int:
        """Remove a thing; return its worker. Raises KeyError if it has no place."""
        return self._things.pop(thing)[0]


class AlwaysUp:
    """Starts its program once, without leases and delays."""

    def __init__(self, programs: Any, rules: Any) -> None:
        self._orders = [Order("start", program, 1) for program in programs]

    def beat(self, *_: Any) -> bool:
        """Do nothing."""
        return True

    def tick(self, _: int) -> list[Order]:
        """Return the orders that are left."""
        orders, self._orders = self._orders, []
        return orders


def in_proportion(waiting: Mapping[str, int], _ranks: Any, room: int, _least: int) -> dict[str, int]:
    """Grant each queue its share of the room."""
    total = sum(waiting.values())
    return {name: min(each, each * room // total if total else 0) for name, each in waiting.items()}


def play(new_scaler: Callable[..., Any], day: str, plan: list[list[Any]], end_s: int) -> System:
    """Run a day with this autoscaler, without a store; return the system at its end."""
    parts = SimpleNamespace(
        admit=in_proportion,
        Supervisor=AlwaysUp,
        Autoscaler=new_scaler,
        heal=lambda nodes, _, managers, *__: dict.fromkeys(nodes, max(managers)),
        deliver=lambda *_: SimpleNamespace(blocked_ms=0),
    )
    system, faults = System(parts, day, RULES, cache_rows=0), {at_s: fault for at_s, fault in plan}
    for at_s in range(end_s):
        if at_s in faults:
            system.inject(faults[at_s])
        system.step()
    return system
