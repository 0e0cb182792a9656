"""The words of HarmonicIO's parts. Sizes and CPU are whole thousandths of one worker, times are seconds."""

from dataclasses import dataclass
from typing import NamedTuple


class Order(NamedTuple):
    """What the master wants done with a message (push, store, wait, hand, forget, fail) or an engine (leave, stay)."""

    what: str
    message: str | None = None
    engine: str | None = None


@dataclass(frozen=True)
class Rules:
    """The settings of the resource manager; the defaults are those that HarmonicIO documents.

    Rates are messages per second; `few` and `many` are numbers of engines; `window` is a number of ticks.
    """

    capacity: int = 1000
    default_size: int = 125
    least_size: int = 20
    window: int = 10
    rises_slowly: float = 2.0
    rises_fast: float = 5.0
    falls_fast: float = -2.0
    long_queue: int = 10
    pause_s: float = 10.0
    few: int = 1
    many: int = 2
    ttl: int = 50


class Request(NamedTuple):
    """An engine that is to be started; `ttl` more tries are allowed after this one."""

    engine: str
    image: str
    ttl: int


class Start(NamedTuple):
    """An engine that starts now on `worker`; its size is `size`."""

    engine: str
    image: str
    worker: int
    size: int


@dataclass
class Seen:
    """What the manager sees at a tick.

    `waiting`: image -> messages. `loads`: image -> (engines, CPU they want together), one pair for each worker that has
    some. `ended`: engines that ended since the last tick. `on`, `ready`, `registered`: numbers of workers.
    """

    now_s: float
    waiting: dict[str, int]
    loads: dict[str, list[tuple[int, int]]]
    ended: list[str]
    on: int
    ready: int
    registered: int


@dataclass
class Plan:
    """What the manager wants: engines to start now, the target number of workers, and how many are to be on.

    `scheduled`: the sizes of its engines added up, for workers 0 … used - 1. `dropped`: image -> requests given up.
    """

    starts: list[Start]
    wanted: int
    on: int
    scheduled: list[int]
    dropped: dict[str, int]


class Scale(NamedTuple):
    """The target number of workers, and how many are to be on after one step."""

    wanted: int
    on: int


class Executor(NamedTuple):
    """A registered executor of Spark, and the number of tasks that run on it."""

    id: str
    tasks: int


class Decision(NamedTuple):
    """How many executors are wanted, those that run included, and the ids of those to end now."""

    total: int
    retire: list[str]
