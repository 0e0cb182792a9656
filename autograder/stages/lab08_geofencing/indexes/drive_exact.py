"""Stubs of the geometry for the indexes. They count their calls, and `eastern_half` follows another rule."""

import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from streamlab.lab08_geofencing.geo import metres


def polygons_of(lists: Any) -> Any:
    """Return polygons as tuples instead of JSON's lists."""
    return tuple(tuple(tuple(map(tuple, ring)) for ring in polygon) for polygon in lists)


def eastern_half(polygons: Any, lon: float, lat: float) -> bool:
    """Return whether a place lies in the eastern half of the fence's bounding box, edges included."""
    lons, lats = zip(*(place for shell, *_ in polygons for place in shell), strict=True)
    east = max(lons)
    return bool((min(lons) + east) / 2 <= lon <= east and min(lats) <= lat <= max(lats))


class Counted:
    """A function that counts its calls in `calls`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function, self.calls = function, 0

    def __call__(self, *arguments: Any) -> Any:
        """Call the function and count the call."""
        self.calls += 1
        return self._function(*arguments)


def counted_geometry(times: int) -> tuple[Counted, Counted]:
    """Return `exact` and `metres`, both of which count their calls; `metres` gives so many times the distance."""
    return Counted(eastern_half), Counted(lambda *places: times * metres(*places))


class TooSlow(Exception):
    """The processor time of a case is used up."""


@contextmanager
def processor_time(limit_s: float) -> Iterator[None]:
    """Raise TooSlow in the block once it has used this much processor time. Only the main thread has a limit.

    A block that has turned the timer off is too slow at its end.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before, began_s = signal.signal(signal.SIGVTALRM, stop), _used_s()
    signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
    try:
        yield
        if _used_s() - began_s > limit_s:
            raise TooSlow
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _used_s() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime
