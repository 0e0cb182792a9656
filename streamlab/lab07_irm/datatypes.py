"""The values that HarmonicIO's parts exchange. Sizes and CPU are whole thousandths of one worker, times are seconds."""

from dataclasses import dataclass
from typing import NamedTuple


class Order(NamedTuple):
    """An order of the master for a message (push, store, wait, hand, forget, fail) or an engine (leave, stay)."""

    what: str
    message: str | None = None
    engine: str | None = None


@dataclass(frozen=True)
class Rules:
    """The settings of the resource manager; the defaults are those of HarmonicIO's IRM_default_parameters.md.

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
    ttl: int = 1


class Request(NamedTuple):
    """A request to start an engine; `ttl` more attempts are allowed after this one."""

    engine: str
    image: str
    ttl: int


class Start(NamedTuple):
    """The start of an engine of size `size` on `worker`, now."""

    engine: str
    image: str
    worker: int
    size: int


@dataclass
class Seen:
    """The manager's observation at a tick.

    `waiting`: image -> messages. `loads`: image -> (engines, CPU they want together), one pair for each worker that
    runs such engines. `ended`: engines that ended since the last tick. `on`, `ready`, `registered`: numbers of workers.
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
    """The manager's plan: engines to start now, the target number of workers, and how many are to be on.

    `scheduled`: the total size of the engines on each of the workers 0 … used - 1. `dropped`: image -> number of
    requests that the manager gave up.
    """

    starts: list[Start]
    wanted: int
    on: int
    scheduled: list[int]
    dropped: dict[str, int]


class Scale(NamedTuple):
    """The target number of workers, and the number that are to be on after one step."""

    wanted: int
    on: int


class Decision(NamedTuple):
    """The target number of executors, including those that run, and the ids of those to end now."""

    total: int
    retire: list[str]
