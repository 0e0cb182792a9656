"""How `Registry` and `Master` are fed: scripts of events, every order of events in small clusters, and real engines."""

from collections import deque
from typing import Any, ClassVar

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab07_irm.messages.drive_deaths import deaths
from streamlab.harmonic.explore import SCENARIOS, explore


@drive("Registry")
def registry(stage: Any, case: Any) -> Rows:
    """What each call of a script returned."""
    return or_rejected(lambda: {"answers": _answers(stage.Registry(case["limit"]), case["script"])})


def _answers(made: Any, script: list[Any]) -> list[Any]:
    return [plain(getattr(made, call)(*arguments)) for call, *arguments in script]


class FirstIdle:
    """A test double of `Registry`: takes the engine that became idle first, and limits each image by itself.

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
        """Let an engine be idle."""
        self._idle.append((engine, image))
        FirstIdle.workers[engine] = worker

    def take_engine(self, image: str) -> str | None:
        """Take the engine that became idle first."""
        found = next((each for each in self._idle if each[1] == image), None)
        if found is not None:
            self._idle.remove(found)
        return found and found[0]

    def remove_engine(self, engine: str) -> bool:
        """Whether it was idle."""
        before = len(self._idle)
        self._idle = [each for each in self._idle if each[0] != engine]
        return len(self._idle) < before

    def promise(self, message: str, image: str) -> bool:
        """Whether fewer than `limit` of this image wait."""
        fits = self.waiting(image) < self.limit
        self._promised += [(message, image)] if fits else []
        return fits

    def arrive(self, message: str) -> bool:
        """Whether it was promised."""
        before = len(self._promised)
        self._promised = [each for each in self._promised if each[0] != message]
        return len(self._promised) < before

    def append(self, message: str, image: str) -> None:
        """Store it as the last one."""
        self._queues.setdefault(image, deque()).append(message)

    def append_first(self, message: str, image: str) -> None:
        """Store it as the first one."""
        self._queues.setdefault(image, deque()).appendleft(message)

    def take_message(self, image: str) -> str | None:
        """Take the first one."""
        queue = self._queues.get(image)
        return queue.popleft() if queue else None

    def remove_message(self, message: str) -> None:
        """Forget it."""
        self.arrive(message)
        self._queues = {image: deque(each for each in q if each != message) for image, q in self._queues.items()}

    def waiting(self, image: str) -> int:
        """Promised and stored ones."""
        return len(self._queues.get(image, ())) + sum(each[1] == image for each in self._promised)


@drive("Master")
def master(stage: Any, case: Any) -> Rows:
    """The orders of a script; the outcomes of all schedules of a scenario; or what real engines did."""
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


def _outcomes(made: Any, case: Any) -> list[Any]:
    found = explore(made, SCENARIOS[case["scenario"]], case["most"])
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
