"""Drives `Registry` and `Master` with scripts, with every order of events in small clusters, and with real engines."""

from collections import deque
from typing import Any, ClassVar

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab07_irm.messages.drive_deaths import deaths
from streamlab.lab07_irm.explore import SCENARIOS, explore


@drive("Registry")
def registry(stage: Any, case: Any) -> Rows:
    """Return the result of each call of a script."""
    return or_rejected(lambda: {"answers": _answers(stage.Registry(case["limit"]), case["script"])})


def _answers(target: Any, script: list[Any]) -> list[Any]:
    return [plain(getattr(target, call)(*arguments)) for call, *arguments in script]


class FirstIdle:
    """A test double of `Registry`: takes the engine that became idle first, and limits each image separately.

    `workers` holds the worker with which each engine was added last, in all registries.
    """

    workers: ClassVar[dict[str, Any]] = {}

    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise ValueError(f"limit {limit}")
        self.limit = limit
        self._idle: list[tuple[str, str]] = []
        self._promised: list[tuple[str, str]] = []
        self._queues: dict[str, deque[str]] = {}

    def add_engine(self, engine: str, image: str, worker: int) -> None:
        """Add an idle engine."""
        self._idle.append((engine, image))
        FirstIdle.workers[engine] = worker

    def take_engine(self, image: str) -> str | None:
        """Take the engine that became idle first."""
        found = next((each for each in self._idle if each[1] == image), None)
        if found is not None:
            self._idle.remove(found)
        return found and found[0]

    def remove_engine(self, engine: str) -> bool:
        """Remove an engine; return whether it was idle."""
        before = len(self._idle)
        self._idle = [each for each in self._idle if each[0] != engine]
        return len(self._idle) < before

    def promise(self, message: str, image: str) -> bool:
        """Promise a place; return whether fewer than `limit` messages of this image wait."""
        fits = self.waiting(image) < self.limit
        self._promised += [(message, image)] if fits else []
        return fits

    def arrive(self, message: str) -> bool:
        """Return whether the message was promised."""
        before = len(self._promised)
        self._promised = [each for each in self._promised if each[0] != message]
        return len(self._promised) < before

    def append(self, message: str, image: str) -> None:
        """Store a message as the last one."""
        self._queues.setdefault(image, deque()).append(message)

    def append_first(self, message: str, image: str) -> None:
        """Store a message as the first one."""
        self._queues.setdefault(image, deque()).appendleft(message)

    def take_message(self, image: str) -> str | None:
        """Take the first message."""
        queue = self._queues.get(image)
        return queue.popleft() if queue else None

    def remove_message(self, message: str) -> None:
        """Forget a message."""
        self.arrive(message)
        self._queues = {image: deque(each for each in q if each != message) for image, q in self._queues.items()}

    def waiting(self, image: str) -> int:
        """Return how many messages are promised or stored."""
        return len(self._queues.get(image, ())) + sum(each[1] == image for each in self._promised)


@drive("Master")
def master(stage: Any, case: Any) -> Rows:
    """Return the orders of a script, the outcomes of all schedules of a scenario, or the counts from real engines."""
    FirstIdle.workers.clear()
    with stage.replaced(Registry=FirstIdle):
        if "in_flight" in case:
            return deaths(stage.Master(), case["messages"], case["in_flight"])
        if "scenario" in case:
            return {"outcomes": _outcomes(stage.Master, case)}
        limits = {name: case[name] for name in ("limit", "tries") if name in case}
        return or_rejected(
            lambda: {"orders": _answers(stage.Master(**limits), case["script"]), "workers": plain(FirstIdle.workers)}
        )


def _outcomes(new_master: Any, case: Any) -> list[Any]:
    found = explore(new_master, SCENARIOS[case["scenario"]], case["most"])
    return [
        {
            "messages": plain(outcome.messages),
            "wrong": plain(outcome.wrong),
            "images": plain(outcome.images),
            "schedules": each.schedules,
            "story": each.story,
        }
        for outcome, each in found.items()
    ]
