"""Cells of a grid for animals that are near each other, and the pairs in one of them."""

from collections.abc import Sequence
from math import floor, log2
from typing import Any

from streamlab.lab08_geofencing.geo.sphere import metres


def cell_of(lon: float, lat: float, distance_m: float) -> tuple[int, int]:
    """Return the cell of a place, (column, row). Cells are squares of degrees, over two distances high.

    Example: cell_of(17.0, 60.0, 5.0) -> (139264, 491520)
    """
    per_degree = 2.0 ** floor(log2(50_000 / distance_m))
    return floor(lon * per_degree), floor(lat * per_degree)


def pairs_in_cell(cell: Any, nearby: Sequence[Any], distance_m: float) -> list[tuple[str, str]]:
    """Return the sorted pairs (a, b) of animals that are near, a < b, where a fix of `a` lies in this cell.

    cell: has x and y; nearby: rows with mover, lon and lat, of all fixes that were sent to the cell.
    """
    residents = [p for p in nearby if cell_of(p.lon, p.lat, distance_m) == (cell.x, cell.y)]
    pairs = [(p, q) for p in residents for q in nearby if p.mover < q.mover]
    return sorted({(p.mover, q.mover) for p, q in pairs if metres(p.lon, p.lat, q.lon, q.lat) <= distance_m})
