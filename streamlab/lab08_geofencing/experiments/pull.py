"""Experiment of Lab 8 on the throughput of pull: the same questions to a `MoverIndex` and to Valkey's geo commands."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from streamlab.lab08_geofencing.experiments.fences import places, positions
from streamlab.lab08_geofencing.geo import Place, metres
from streamlab.lab08_geofencing.published import figure

KEY, MOVERS, RADIUS_M, QUESTIONS = "movers", 20_000, 1_400.0, 300
FAR_M, MANY = 3_000.0, 1_000  # for `differences`


class PullRate(NamedTuple):
    """Answers per second in a closed loop: one client asks its next question as soon as it has an answer."""

    way: str
    per_s: float
    answered_percent: float  # the share of answers that name at least one mover
    mean_movers: float


# In an open loop: clients send at a fixed rate. With FenceX's own data no query finds anybody.
FENCEX = PullRate("FenceX, open loop", figure("pull, highest (1/s)"), figure("pull, not empty (%)"), 0.0)


class Difference(NamedTuple):
    """A mover that only one of the two systems found, and how far outside the circle it is (negative: inside)."""

    mover: str
    only: str
    beyond_m: float


def filled(mover_index: Callable[[], Any], address: str) -> tuple[Any, Any]:
    """Return a `MoverIndex` and a client of Valkey, both filled with the same movers."""
    import redis

    index, (host, _, port) = mover_index(), address.rpartition(":")
    client = redis.Redis(host, int(port), decode_responses=True)
    client.delete(KEY)
    known = positions("pull", MOVERS, MOVERS)
    for each in known:
        index.put(each)
    newest = {each.mover: (each.lon, each.lat) for each in known}
    pipeline = client.pipeline(transaction=False)
    for mover, (lon, lat) in newest.items():
        pipeline.geoadd(KEY, (lon, lat, mover))
    pipeline.execute()
    return index, client


def pull_rates(index: Any, client: Any, questions: int = QUESTIONS) -> list[PullRate]:
    """Return the rates for circles, for polygons, and for circles with the latitude first, as FenceX sent them."""
    asked = places("questions", questions)
    swapped = [(lat, lon) for lon, lat in asked]
    return [
        _rate("MoverIndex, circles", lambda place: near(index, place), asked),
        _rate("Valkey, circles", lambda place: near_in_valkey(client, place), asked),
        _rate("MoverIndex, polygons", lambda place: index.within(triangle(place)), asked),
        _rate("Valkey, polygons", lambda place: _polygon_in_valkey(client, place), asked),
        _rate("MoverIndex, latitude first", lambda place: near(index, place), swapped),
    ]


def differences(index: Any, client: Any, questions: int = MANY) -> list[Difference]:
    """Return the movers that only one of the two systems finds within 3 km, with their distance from the circle."""
    found = []
    newest = {each.mover: (each.lon, each.lat) for each in positions("pull", MOVERS, MOVERS)}
    for lon, lat in places("questions", questions):
        ours, theirs = set(near(index, (lon, lat), FAR_M)), set(near_in_valkey(client, (lon, lat), FAR_M))
        for mover in sorted(ours ^ theirs):
            beyond_m = metres(lon, lat, *newest[mover]) - FAR_M
            found.append(Difference(mover, "MoverIndex" if mover in ours else "Valkey", beyond_m))
    return found


def near(index: Any, place: Place, radius_m: float = RADIUS_M) -> list[str]:
    """Return the movers within a radius that a `MoverIndex` finds."""
    return list(index.near(*place, radius_m))


def near_in_valkey(client: Any, place: Place, radius_m: float = RADIUS_M) -> list[str]:
    """Return the sorted movers within a radius that Valkey finds."""
    return sorted(client.geosearch(KEY, longitude=place[0], latitude=place[1], radius=radius_m, unit="m"))


def triangle(place: Place) -> Any:
    """Return a triangle around a place as polygons, about as large as the circle."""
    return ((_corners(place),),)


def _corners(place: Place) -> tuple[Place, ...]:
    (lon, lat), high = place, RADIUS_M / 111_195
    wide = high / math.cos(math.radians(lat))
    return (lon - wide, lat - high), (lon + wide, lat - high), (lon, lat + 2 * high), (lon - wide, lat - high)


def _polygon_in_valkey(client: Any, place: Place) -> list[str]:
    corners = _corners(place)[:-1]
    numbers = [value for corner in corners for value in corner]
    return sorted(client.execute_command("GEOSEARCH", KEY, "BYPOLYGON", len(corners), *numbers))


def _rate(way: str, ask: Callable[[Place], list[str]], asked: Sequence[Place]) -> PullRate:
    began_s = time.perf_counter()
    found = [ask(place) for place in asked]
    per_s = len(asked) / (time.perf_counter() - began_s)
    answered = 100 * sum(map(bool, found)) / len(found)
    return PullRate(way, per_s, answered, sum(map(len, found)) / len(found))
