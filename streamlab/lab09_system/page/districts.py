"""Neighbouring districts of Montréal, one for each group of accounts, as the page draws them."""

import math
from functools import cache

from streamlab.lab08_geofencing.fences import Place, districts

CENTRE, COUNT, DIGITS = "134-Marie-Victorin", 12, 4  # its neighbours have about the same size, so their dots fit
SHRINK = math.cos(math.radians(45.5))  # a degree to the east is so much shorter than one to the north


@cache
def neighbouring_districts() -> list[tuple[str, list[Place]]]:
    """Return the name and the outer ring of the districts around CENTRE, nearest first."""
    rings = {name: polygons[0][0] for name, polygons in districts().items()}
    middles = {name: _middle(ring) for name, ring in rings.items()}
    nearest = sorted(rings, key=lambda name: math.dist(middles[name], middles[CENTRE]))[:COUNT]
    return [(name, [(round(lon, DIGITS), round(lat, DIGITS)) for lon, lat in rings[name]]) for name in nearest]


def _middle(ring: tuple[Place, ...]) -> Place:
    lons, lats = zip(*ring, strict=True)
    return SHRINK * (min(lons) + max(lons)) / 2, (min(lats) + max(lats)) / 2
