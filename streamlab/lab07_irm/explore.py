"""Explores every order in which the events of a small cluster can reach a Master, depth first.

A channel (one connector's messages, one engine's reports) keeps its order, but any channel may deliver next. Each
schedule starts from the beginning with a new Master.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_STEPS = 40


@dataclass(frozen=True)
class Scenario:
    """A small cluster: (message, image) pairs, (engine, image, worker) triples, and how many faults may happen.

    The master detects a death. A suspected engine is alive: its connection breaks, it finishes its message, reports
    late, and ends. A leave is an engine's request to end. `master` holds the arguments of the Master.
    """

    messages: tuple[tuple[str, str], ...]
    engines: tuple[tuple[str, str, int], ...]
    deaths: int = 0
    leaves: int = 0
    suspicions: int = 0
    master: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How one schedule ends.

    `messages`: (name, times processed, forgotten, failed, sent to the backlog). `wrong`: violations of invariants.
    `images`: those with an engine that still runs.
    """

    messages: tuple[tuple[str, int, int, int, int], ...]
    wrong: tuple[str, ...]
    images: tuple[str, ...]


E1, E2 = ("e1", "i", 0), ("e2", "i", 1)
M1, M2 = ("m1", "i"), ("m2", "i")
SCENARIOS = {
    "one message, one engine": Scenario((M1,), (E1,)),
    "two messages, one engine": Scenario((M1, M2), (E1,)),
    "two messages, room for one": Scenario((M1, M2), (E1,), master={"limit": 1}),
    "two engines": Scenario((M1,), (E1, E2)),
    "one of two engines dies": Scenario((M1,), (E1, E2), deaths=1),
    "one of two engines leaves": Scenario((M1,), (E1, E2), leaves=1),
    "one of two engines is suspected": Scenario((M1,), (E1, E2), suspicions=1),
    "the only engine asks to leave": Scenario((M1, M2), (E1,), leaves=1),
}


class World:
    """One schedule of a scenario: `choices()` returns the possible next events, and `step(choice)` makes one happen.

    `story` holds the events so far, with the orders of the master.
    """

    def __init__(self, make: Callable[..., Any], scenario: Scenario) -> None:
        self._master, self._scenario = make(**scenario.master), scenario
        self._image = dict(scenario.messages)
        self._engine = {name: (image, worker) for name, image, worker in scenario.engines}
        self._left = {"die": scenario.deaths, "tire": scenario.leaves, "suspect": scenario.suspicions}
        self._channels: dict[str, deque[tuple[str, ...]]] = {}
        self._busy: dict[str, str | None] = dict.fromkeys(self._engine)  # of engines that live
        self._gone, self._asked = set[str](), set[str]()
        self._reported, self._released, self._finished = set[str](), set[str](), set[str]()
        self._has: dict[str, str] = {}  # engine -> message that the master has given to it
        self._kept_by_master, self._backlog = set[str](), set[str]()
        self._again: dict[str, int] = {}  # message to be offered again -> number of events that come before
        self._processed, self._stored = Counter[str](), Counter[str]()
        self._ends = {"forget": Counter[str](), "fail": Counter[str]()}
        self._events, self.wrong, self.story = 0, list[str](), list[str]()
        for message in self._image:
            self._post(f"connector {message}", "offer", message)
        for engine in self._engine:
            self._post(f"engine {engine}", "idle", engine)

    def choices(self) -> tuple[list[str], list[str]]:
        """Return the events that must happen at some time, and those that may happen."""
        must = [name for name, calls in self._channels.items() if calls]
        must += [f"work {engine}" for engine, message in self._busy.items() if message is not None]
        must += [f"again {message}" for message, since in self._again.items() if since < self._events]
        may = list[str]()
        for engine in self._working():
            may += [f"{fault} {engine}" for fault in ("die", "suspect") if self._left[fault]]
            if self._left["tire"] and self._busy[engine] is None and engine not in self._asked:
                may.append(f"tire {engine}")
        return sorted(must), sorted(may)

    def step(self, choice: str) -> None:
        """Make one of the choices happen."""
        kind, _, name = choice.partition(" ")
        if choice in self._channels:
            call = self._channels[choice].popleft()
            if kind == "to":
                self._arrive(name, *call)
            else:
                self._call(*call)
        else:
            happens = {
                "work": self._work,
                "die": self._die,
                "suspect": self._suspect,
                "tire": self._tire,
                "again": self._offered_again,
            }
            happens[kind](name)

    def outcome(self) -> Outcome:
        """Return how the schedule ended; call it when no event must happen any more."""
        forgotten, failed = self._ends["forget"], self._ends["fail"]
        messages = tuple(
            (name, self._processed[name], forgotten[name], failed[name], self._stored[name])
            for name in sorted(self._image)
        )
        images = tuple(sorted({self._engine[engine][0] for engine in self._working()}))
        return Outcome(messages, tuple(self.wrong), images)

    def _working(self) -> list[str]:
        return [engine for engine in self._engine if engine in self._busy and engine not in self._gone]

    def _post(self, channel: str, *call: str) -> None:
        self._channels.setdefault(channel, deque()).append(call)

    def _work(self, engine: str) -> None:
        message, self._busy[engine] = self._busy[engine], None
        if message is not None:
            self._processed[message] += 1
            self._post(f"engine {engine}", "done", engine, message)

    def _die(self, engine: str) -> None:
        self._left["die"] -= 1
        del self._busy[engine]
        self.story.append(f"{engine} dies")
        self._post(f"engine {engine}", "lost", engine)

    def _suspect(self, engine: str) -> None:
        self._left["suspect"] -= 1
        self._channels.pop(f"to {engine}", None)
        self._gone.add(engine)
        self.story.append(f"the connection of {engine} breaks")
        self._post(f"net {engine}" if self._busy[engine] else f"engine {engine}", "lost", engine)

    def _tire(self, engine: str) -> None:
        self._left["tire"] -= 1
        self._asked.add(engine)
        self._post(f"engine {engine}", "leaving", engine)

    def _arrive(self, engine: str, what: str, message: str = "") -> None:
        """Deliver a payload or an answer to an engine; if it is gone, the sender of a payload reports it as lost."""
        if engine not in self._busy or engine in self._gone:
            if what == "payload":
                self._post(f"net {engine}", "lost", engine)
        elif what == "payload":
            if self._busy[engine] is not None:
                self.wrong.append(f"{engine} gets {message} while it works on {self._busy[engine]}")
            self._busy[engine] = message
        elif what == "leave":
            self._gone.add(engine)
        else:
            self._asked.discard(engine)

    def _call(self, what: str, name: str, *more: str) -> None:
        self._events += 1
        arguments: tuple[Any, ...] = more
        if what == "offer":
            arguments = (self._image[name],)
        elif what == "idle":
            arguments = self._engine[name]
        if what == "lost":
            self._reported.add(name)
        if what in ("lost", "done"):
            self._has.pop(name, None)
        if what == "done":
            self._finished.add(more[0])
            self._backlog.discard(more[0])
        orders = [tuple(order) for order in getattr(self._master, what)(name, *arguments)]
        self.story.append(f"{_event(what, name, *more)}: {', '.join(map(_order, orders)) or 'no order'}")
        for order in orders:
            self._obey(*order)

    def _offered_again(self, message: str) -> None:
        del self._again[message]
        self._call("offer", message)

    def _obey(self, what: str, message: Any, engine: Any) -> None:
        if what in ("push", "hand"):
            self._give(what, message, engine)
        elif what == "store":
            self._stored[message] += 1
            if len(self._backlog) >= self._scenario.master.get("limit", 1000):
                self.wrong.append(f"{message} goes to a backlog that is full")
            self._backlog.add(message)
            self._kept_by_master.add(message)
            self._post(f"connector {message}", "stored", message)
        elif what == "wait":
            self._again[message] = self._events
        elif what in self._ends:
            self._ends[what][message] += 1
        elif what in ("leave", "stay"):
            if what == "leave":
                self._released.add(engine)
                if engine in self._has:
                    self.wrong.append(f"{engine} is told to leave while it has {self._has[engine]}")
            self._post(f"to {engine}", what)

    def _give(self, what: str, message: str, engine: str) -> None:
        for names, how in (self._reported, "was lost"), (self._released, "was told to leave"):
            if engine in names:
                self.wrong.append(f"{engine} {how} and gets {message}")
        if message in self._finished:
            self.wrong.append(f"{message} is finished and {engine} gets it")
        if what == "hand" and message not in self._kept_by_master:
            self.wrong.append(f"{message} is handed out and was never stored")
        self._backlog.discard(message)
        self._has[engine] = message
        self._post(f"to {engine}", "payload", message)


def _event(what: str, name: str, *more: str) -> str:
    texts = {"offer": "is offered", "stored": "arrives in the backlog", "idle": "is idle", "lost": "is lost"}
    return f"{name} {texts.get(what, 'asks to leave')}" if what != "done" else f"{name} is done with {more[0]}"


def _order(order: tuple[Any, ...]) -> str:
    what, message, engine = order
    return " ".join(
        [what, *([message] if message else []), *([f"to {engine}" if message else engine] if engine else [])]
    )


@dataclass
class Found:
    """The number of schedules with one outcome, and the story of the first one."""

    schedules: int
    story: list[str]


def explore(make: Callable[..., Any], scenario: Scenario, most: int = 3000) -> dict[Outcome, Found]:
    """Play at most `most` schedules of a scenario; return the outcomes, each with the story of its first schedule."""
    found: dict[Outcome, Found] = {}
    for number, world in enumerate(_played(make, scenario), 1):
        found.setdefault(world.outcome(), Found(0, world.story)).schedules += 1
        if number == most:
            break
    return found


def _played(make: Callable[..., Any], scenario: Scenario) -> Iterator[World]:
    trail: list[list[int]] = []  # for each step, the number of the choice taken and the number of choices
    while True:
        world, steps = World(make, scenario), 0
        while (options := world.choices())[0]:
            if steps == MAX_STEPS:
                world.wrong.append(f"no end after {MAX_STEPS} steps")
                break
            choices = options[0] + options[1]
            if steps == len(trail):
                trail.append([0, len(choices)])
            world.step(choices[trail[steps][0]])
            steps += 1
        yield world
        del trail[steps:]
        while trail and trail[-1][0] + 1 == trail[-1][1]:
            trail.pop()
        if not trail:
            return
        trail[-1][0] += 1
