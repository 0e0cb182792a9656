"""Stubs of the geometry for the indexes. They count their calls, and `eastern_half` follows another rule."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from streamlab.lab08_geofencing.geo import metres

COUNT_EVERY_S = 0.02  # of processor time


def polygons_of(lists: Any) -> Any:
    """Return polygons as tuples instead of JSON's lists."""
    return tuple(tuple(tuple(map(tuple, ring)) for ring in polygon) for polygon in lists)


def eastern_half(polygons: Any, lon: float, lat: float) -> bool:
    """Return whether a place lies in the eastern half of the fence's bounding box, and in no hole's; edges included."""
    lons, lats = zip(*(place for shell, *_ in polygons for place in shell), strict=True)
    east = max(lons)
    if any(_in_box(hole, lon, lat) for _, *holes in polygons for hole in holes):
        return False
    return bool((min(lons) + east) / 2 <= lon <= east and min(lats) <= lat <= max(lats))


def _in_box(ring: Any, lon: float, lat: float) -> bool:
    lons, lats = zip(*ring, strict=True)
    return bool(min(lons) <= lon <= max(lons) and min(lats) <= lat <= max(lats))


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


class TooManyObjects(Exception):
    """A case has used up its objects."""


@contextmanager
def few_objects(most: float) -> Iterator[Callable[[], None]]:
    """Raise TooManyObjects in the block if the process holds over `most` more objects than at its start.

    The objects are counted whenever the block calls the yielded function; in the main thread, also during calls that do
    not end.
    """
    before = sys.getallocatedblocks()

    def count(*_: object) -> None:
        if sys.getallocatedblocks() - before > most:
            raise TooManyObjects

    if threading.current_thread() is not threading.main_thread():
        yield count
        return
    handler = signal.signal(signal.SIGVTALRM, count)
    signal.setitimer(signal.ITIMER_VIRTUAL, COUNT_EVERY_S, COUNT_EVERY_S)
    try:
        yield count
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
