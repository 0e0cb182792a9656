"""Stubs of the manager's parts. Each follows another rule than the task's, and needs each of its arguments."""

from collections.abc import Sequence

from streamlab.lab07_irm.datatypes import Order, Rules, Scale


class WorstFit:
    """In place of `FirstFit`: the emptiest used worker with room; the last one of equals."""

    def __init__(self, capacity: int = 1000) -> None:
        self._capacity = capacity
        self._workers: list[dict[str, int]] = []

    def place(self, engine: str, size: int) -> int:
        """Place an engine and return its worker."""
        free = self.free()
        room = [(free[at], at) for at, engines in enumerate(self._workers) if engines and free[at] >= size]
        empty = [at for at, engines in enumerate(self._workers) if not engines]
        worker = max(room)[1] if room else empty[0] if empty else len(self._workers)
        if worker == len(self._workers):
            self._workers.append({})
        self._workers[worker][engine] = size
        return worker

    def remove(self, engine: str) -> int:
        """Remove an engine and return its worker. Raises KeyError for an unknown one."""
        worker = self._worker_of(engine)
        del self._workers[worker][engine]
        while self._workers and not self._workers[-1]:
            self._workers.pop()
        return worker

    def resize(self, engine: str, size: int) -> None:
        """Change the size of an engine."""
        self._workers[self._worker_of(engine)][engine] = size

    def free(self) -> list[int]:
        """Return the free space of each worker."""
        return [self._capacity - sum(engines.values()) for engines in self._workers]

    @property
    def used(self) -> int:
        """Return the number of the last worker with an engine, plus one."""
        return len(self._workers)

    def _worker_of(self, engine: str) -> int:
        for worker, engines in enumerate(self._workers):
            if engine in engines:
                return worker
        raise KeyError(engine)


class LargestShare:
    """In place of `Profiler`: the largest share of a worker in the last observation, in steps of `window`."""

    def __init__(self, window: int, default: int, least: int, most: int = 1000) -> None:
        self._window, self._default, self._least, self._most = window, default, least, most
        self._shares: dict[str, int] = {}

    def observe(self, image: str, loads: Sequence[tuple[int, int]]) -> None:
        """Record one tick."""
        if shares := [cpu // engines for engines, cpu in loads if engines]:
            self._shares[image] = max(shares)

    def size(self, image: str) -> int:
        """Return a size within the limits."""
        if image not in self._shares:
            return self._default
        return max(self._least, min(self._most, self._shares[image] // self._window * self._window))


class Halves:
    """In place of `Predictor`: half of the waiting messages, at most `rules.many`; every third s it requests none."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def wanted(self, image: str, now_s: float, length: int, coming: int = 0) -> int:
        """Return how many engines to request."""
        return 0 if now_s % 3 == 2 else max(0, min(self._rules.many, (length - coming + len(image) % 2) // 2))


def no_spare(on: int, used: int, registered: int) -> Scale:
    """Return no spare worker, but at least one; in place of `scale`. `on` jumps up, and goes down by two at a time."""
    wanted = max(1, used)
    return Scale(wanted, min(max(wanted, on - 2), registered))


class Backlog:
    """In place of `Master`: every message takes the backlog, the newest first, to the engine idle for longest."""

    def __init__(self) -> None:
        self._stored: list[tuple[str, str]] = []
        self._images: dict[str, str] = {}
        self._idle: dict[str, str] = {}

    def offer(self, message: str, image: str) -> list[Order]:
        """Store a message."""
        self._images[message] = image
        return [Order("store", message)]

    def stored(self, message: str) -> list[Order]:
        """Hand a stored message to an idle engine, or keep it."""
        self._stored.append((message, self._images[message]))
        return self._matched()

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        """Record an idle engine."""
        self._idle[engine] = image
        return self._matched()

    def done(self, engine: str, message: str) -> list[Order]:
        """Forget a message; its engine is idle."""
        image = self._images.pop(message)
        return [Order("forget", message), *self.idle(engine, image)]

    def leaving(self, engine: str) -> list[Order]:
        """Let an idle engine go."""
        if self._idle.pop(engine, None) is None:
            return [Order("stay", None, engine)]
        return [Order("leave", None, engine)]

    def waiting(self, image: str) -> int:
        """Return how many messages are stored."""
        return sum(each == image for _, each in self._stored)

    def _matched(self) -> list[Order]:
        for message, image in reversed(self._stored):
            for engine, of in self._idle.items():
                if of == image:
                    self._stored.remove((message, image))
                    del self._idle[engine]
                    return [Order("hand", message, engine)]
        return []
