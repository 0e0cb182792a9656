"""A day of the live system: parts with their sources and faults, one after another, each until the lag is zero."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from streamlab.lab09_system.city import Part
from streamlab.lab09_system.live.faults import FAULTS
from streamlab.lab09_system.live.system import LiveSystem

LATENESS_S = 12.0  # longer than a part by more than a record is late: wherever batches begin, none is dropped as late
DATA_FAULTS = ("burst", "hot-key", "poison", "clock-ahead")  # all in one part of the day: they are in its records


class DayPart(NamedTuple):
    """A part of a day: its faults, "+" between several, and its sources."""

    name: str
    sources: Part

    @property
    def fault(self) -> str | None:
        """The fault to inject while its records are sent, or None: it has none, or has them in its records."""
        return self.name if self.name in FAULTS else None


class Progress(NamedTuple):
    """A part whose lag came back to zero."""

    name: str
    records: int


DAY = (
    DayPart("quiet", Part(0, 2, 150)),
    DayPart("+".join(DATA_FAULTS), Part(2, 4, 1500, hot=0.6, poison=10, ahead=5)),
    DayPart("store-stopped", Part(4, 14, 30)),
    DayPart("store-killed", Part(14, 24, 30)),
    DayPart("python-worker", Part(24, 26, 600)),
    DayPart("broker", Part(26, 28, 300)),
    DayPart("leader", Part(28, 32, 300, poison=5)),
)


def run_day(
    system: LiveSystem, parts: Sequence[DayPart] = DAY, on_progress: Callable[[Progress], object] = lambda part: None
) -> None:
    """Run all parts, close all windows, and repair until no window is undecided. Raises NotReached.

    Example: run_day(system, on_progress=print)
    """
    for part in parts:
        _run_part(system, part)
        on_progress(Progress(part.name, sum(system.connector.sent.values())))
    system.close(parts[-1].sources.end_s)
    system.until(lambda: system.repair() == 0, "a decision for each undecided window")


def _run_part(system: LiveSystem, part: DayPart) -> None:
    seconds = system.city.records(part.sources)
    if part.fault is None:
        system.send(seconds)
    elif part.fault.startswith("store"):
        system.inject(part.fault, lambda: _send_and_drain(system, part.name, seconds))
    else:
        system.inject(part.fault, lambda: system.send(seconds))
    system.drain(part.name)


def _send_and_drain(system: LiveSystem, name: str, seconds: Sequence[Sequence[object]]) -> None:
    system.send(seconds)  # type: ignore[arg-type]
    system.drain(name)
