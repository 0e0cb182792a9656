"""Stubs of `contains`, `FenceIndex` and `MoverIndex` by another rule: the polygons of a fence are a list of longitudes.

A fence contains the places with one of its longitudes, at any latitude, whatever `exact` says. So no stub answers as
its task does.
"""

from typing import Any

from streamlab.lab08_geofencing.geo import Position


def has_longitude(longitudes: Any, lon: float, lat: float) -> bool:
    """Return whether the fence has this longitude."""
    return lon in longitudes


class FencesByLongitude:
    """Fences, each a list of longitudes."""

    def __init__(self, exact: Any = None) -> None:
        self._fences = dict[str, Any]()

    def put(self, fence: str, polygons: Any) -> None:
        """Add or replace a fence."""
        self._fences[fence] = polygons

    def remove(self, fence: str) -> None:
        """Delete a fence, if it exists."""
        self._fences.pop(fence, None)

    def at(self, lon: float, lat: float) -> list[str]:
        """Return the fences that have this longitude."""
        return sorted(fence for fence, longitudes in self._fences.items() if has_longitude(longitudes, lon, lat))


class MoversByLongitude:
    """The newest position of each mover."""

    def __init__(self, exact: Any = None, metres: Any = None) -> None:
        self._newest = dict[str, Position]()

    def put(self, position: Position) -> bool:
        """Store a position that is newer than the known one; return whether it is."""
        known = self._newest.get(position.mover)
        if known and known.time_ms >= position.time_ms:
            return False
        self._newest[position.mover] = position
        return True

    def within(self, polygons: Any, since_ms: int | None = None) -> list[str]:
        """Return the movers at one of these longitudes whose positions are not older than `since_ms`."""
        recent = (each for each in self._newest.values() if since_ms is None or each.time_ms >= since_ms)
        return sorted(each.mover for each in recent if has_longitude(polygons, each.lon, each.lat))
