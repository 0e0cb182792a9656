"""The page's message: one JSON object for each second of the system, the same from the virtual, live and recorded one.

A system that the page can show is a `Source`. The page calls all of its methods from one thread.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypedDict

from streamlab.lab09_system.words import Incident

FAULTS = {  # the names of `./lab system fault NAME`, in the order of the buttons, with what they do
    "burst": "Burst × 10",
    "hot-key": "Hot key",
    "poison": "Poison records",
    "clock-ahead": "Clock a year ahead",
    "store-stopped": "Stop the store",
    "store-killed": "Kill the store",
    "python-worker": "Kill a worker",
    "broker": "Kill the broker",
    "job": "Kill the job",
    "leader": "Kill the leader",
}
BOXES = ("sources", "connector", "log", "job", "store", "leader")  # those that can be in `down`
FRESH_MOST = 12


class FreshAlert(TypedDict):
    """A recent alert: the group of its account, 0 to 11, and the ms from its event to the alert."""

    group: int
    late_ms: int


class Found(TypedDict):
    """An incident as `post_mortem` finds it; `back_s` is None until the lag is back."""

    kind: str
    from_s: int
    to_s: int
    back_s: int | None


class Comparison(TypedDict):
    """How the learner's tasks answer what was recorded."""

    boxes: dict[str, list[str]]  # box -> its text in three lengths, the longest one first
    tasks: dict[str, str]  # name of each task -> its text
    differences: list[str]  # the first one of each task that has one, or its error


class Message(TypedDict):
    """What the system measured in second `at_s`. Rates are records/s of this second; None means: nothing to measure."""

    at_s: int  # seconds since the start
    offered: int  # what the sources sent
    admitted: int  # what the connector wrote to the log
    done: int  # what the job processed
    waiting: dict[str, int]  # records in the connector's buffer, by topic
    lags: list[int]  # records in the log that the job has not processed, by partition
    epoch: int  # of the running or last job: term × 1000 + number of the start in this term
    term: int  # rises with each new leader
    instances: dict[str, int]  # name of each instance -> number of its worker
    starting: list[str]  # those of the instances that do not work yet
    workers: int  # that are on
    down: list[str]  # those of BOXES that do not work
    breakers: dict[str, int]  # how many circuit breakers are "closed", "open", "half-open"
    calls: int  # to the store
    errors: int  # calls that the store did not answer
    hit_rate: float | None  # share of the limits that came from the cache, 0 to 1
    p50_ms: int | None  # event to alert, of the alerts that were due in the last minute; a lost one counts
    p99_ms: int | None
    budget_left: float | None  # share of the error budget of the last 5 minutes; negative if it is overspent
    pages: list[bool]  # one for each burn-rate window of the objective: does it call somebody?
    alerts: int  # since the start
    undecided: int  # windows that wait for the store
    dead: dict[str, int]  # dead letters since the start, by reason
    fresh: list[FreshAlert]  # of this second, at most 12
    incidents: list[Found]  # the last ones, oldest first, at most 8


class ComparedMessage(Message):
    """A message of a recorded day that the learner's tasks get, too."""

    compared: Comparison


class Source(Protocol):
    """A system that the page shows."""

    kind: str  # "virtual", "recorded" or "live"
    remark: str  # one sentence for the page's head: what runs, and what is simulated
    pace_s: float  # between two messages
    tasks: tuple[str, ...]  # "LAB/TASK" of the tasks that really run here

    def step(self) -> Message:
        """Return the next second's message; the page waits `pace_s` between two calls."""

    def inject(self, fault: str) -> str:
        """Begin a fault of FAULTS; return one sentence that says what happens."""

    def end(self) -> None:
        """Stop everything that this system started."""


def recent(incidents: Iterable[Incident], most: int = 8) -> list[Found]:
    """Return the last of the incidents that `post_mortem` returned, as the message has them."""
    last = sorted(incidents, key=lambda each: each.from_s)[-most:]
    return [{"kind": kind, "from_s": from_s, "to_s": to_s, "back_s": back_s} for kind, from_s, to_s, back_s in last]


def thinned(fresh: Sequence[FreshAlert]) -> list[FreshAlert]:
    """Return each alert, or each n-th so that at most FRESH_MOST are left."""
    return list(fresh[:: -(-len(fresh) // FRESH_MOST) or 1])
