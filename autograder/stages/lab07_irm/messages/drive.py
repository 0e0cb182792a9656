"""Drives `Registry`, `Assignments` and `dispatch` with scripts.

Drives `Master` with scripts, with every order of events in small clusters, and with real engines.
"""

from collections import deque
from typing import Any, ClassVar

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from autograder.stages.lab07_irm.messages.drive_deaths import deaths
from streamlab.lab07_irm.explore import SCENARIOS, explore


@drive("Registry")
def registry(stage: Any, case: Any) -> Rows:
    """Return the result of each call of a script."""
    return {"answers": _answers(stage.Registry(case["limit"]), case["script"])}


@drive("Assignments")
def assignments(stage: Any, case: Any) -> Rows:
    """Return the result of each call of a script."""
    return {"answers": _answers(stage.Assignments(), case["script"])}


@drive("dispatch")
def dispatch(stage: Any, case: Any) -> Rows:
    """Return for each call its orders, and the idle engines, promised messages and queues of the registry after it."""
    registry, routes = FirstIdle(case["limit"]), []
    registry.idle = [(engine, image) for engine, image in case["idle"]]
    registry.promised = [(message, image) for message, image in case["promised"]]
    for message, image in case["stored"]:
        registry.append(message, image)
    for message, image, is_stored, was_lost in case["calls"]:
        orders = stage.dispatch(registry, message, image, is_stored, was_lost)
        queues = {of: list(queue) for of, queue in registry.queues.items() if queue}
        promised = sorted(name for name, _ in registry.promised)
        routes.append(plain([orders, [engine for engine, _ in registry.idle], promised, queues]))
    return {"routes": routes}


def _answers(target: Any, script: list[Any]) -> list[Any]:
    return [plain(getattr(target, call)(*arguments)) for call, *arguments in script]


class FirstIdle:
    """A test double of `Registry`: takes the engine that became idle first, and limits each image separately.

    Images with the same first letter share a queue; the cases of `Master` have none.
    `workers` holds the worker with which each engine was added last, in all registries.
    """

    workers: ClassVar[dict[str, Any]] = {}

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.idle: list[tuple[str, str]] = []
        self.promised: list[tuple[str, str]] = []
        self.queues: dict[str, deque[str]] = {}

    def add_engine(self, engine: str, image: str, worker: int) -> None:
        """Add an idle engine."""
        self.idle.append((engine, image))
        FirstIdle.workers[engine] = worker

    def take_engine(self, image: str) -> str | None:
        """Take the engine that became idle first."""
        found = next((each for each in self.idle if each[1] == image), None)
        if found is not None:
            self.idle.remove(found)
        return found and found[0]

    def remove_engine(self, engine: str) -> bool:
        """Remove an engine; return whether it was idle."""
        before = len(self.idle)
        self.idle = [each for each in self.idle if each[0] != engine]
        return len(self.idle) < before

    def promise(self, message: str, image: str) -> bool:
        """Promise a place; return whether fewer than `limit` messages of this image wait."""
        fits = self.waiting(image) < self.limit
        self.promised += [(message, image)] if fits else []
        return fits

    def arrive(self, message: str) -> bool:
        """Return whether the message was promised."""
        before = len(self.promised)
        self.promised = [each for each in self.promised if each[0] != message]
        return len(self.promised) < before

    def append(self, message: str, image: str) -> None:
        """Store a message as the last one."""
        self.queues.setdefault(image[:1], deque()).append(message)

    def append_first(self, message: str, image: str) -> None:
        """Store a message as the first one."""
        self.queues.setdefault(image[:1], deque()).appendleft(message)

    def take_message(self, image: str) -> str | None:
        """Take the first message."""
        queue = self.queues.get(image[:1])
        return queue.popleft() if queue else None

    def remove_message(self, message: str) -> None:
        """Forget a message."""
        self.arrive(message)
        self.queues = {image: deque(each for each in q if each != message) for image, q in self.queues.items()}

    def waiting(self, image: str) -> int:
        """Return how many messages are promised or stored."""
        return len(self.queues.get(image[:1], ())) + sum(each[1] == image for each in self.promised)


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
        return {"orders": _answers(stage.Master(**limits), case["script"]), "workers": plain(FirstIdle.workers)}


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
