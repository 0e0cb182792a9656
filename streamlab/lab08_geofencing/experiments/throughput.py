"""Experiment of Lab 8 on the throughput of push: lookups of fences, and updates through the whole pipeline."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from streamlab.lab08_geofencing.experiments.fences import CORNERS, Scan, Tree, places, positions, stars
from streamlab.lab08_geofencing.experiments.streams import play
from streamlab.lab08_geofencing.fences import as_geojson
from streamlab.lab08_geofencing.geo import Place, Polygons, Position
from streamlab.lab08_geofencing.published import figure
from streamlab.lab08_geofencing.two_topics import Sent

COUNTS = (10, 100, 1_000, 10_000)
TURN_S, ASKED = 0.1, 20_000
MOVERS, LATENESS_S = 5_000, 1.0
WARM_UP = 2_000
# Updates per second that FenceX's push keeps up with, on 4 to 5 instances, in an open loop
FENCEX = [(f"FenceX, open loop: {which}", figure(f"push, {which} (1/s)")) for which in ("lowest", "highest")]

Matcher = Callable[[list[Place]], list[list[str]]]  # places -> the fences of each


class LookupRate(NamedTuple):
    """The places per second that one way of matching looked up among `fences` fences."""

    fences: int
    way: str
    per_s: float


class PushRate(NamedTuple):
    """The updates per second that a pipeline processed, and the number of resulting events."""

    updates: int
    per_s: float
    events: int


def lookup_rates(
    fence_index: Callable[[Any], Any],
    contains: Callable[[Polygons, float, float], bool],
    counts: Sequence[int] = COUNTS,
    turn_s: float = TURN_S,
) -> list[LookupRate]:
    """Return the rates of a scan, of a `FenceIndex`, and of GEOS' tree, one by one and in bulk.

    Raises ValueError if two ways find different fences for a place.
    """
    rates = []
    for count in counts:
        fences, asked = stars("rates", count), places("rates", ASKED)
        ways = matchers(fence_index, contains, fences)
        right = ways["STRtree, bulk"](asked)
        for way, matcher in ways.items():
            rates.append(LookupRate(count, way, _rate(way, matcher, asked, right, turn_s)))
    return rates


def matchers(fence_index: Callable[[Any], Any], contains: Any, fences: Mapping[str, Polygons]) -> dict[str, Matcher]:
    """Return all ways to match by name, filled with fences."""
    scan, index, tree = Scan(contains), fence_index(contains), Tree(fences)
    for fence, polygons in fences.items():
        scan.put(fence, polygons)
        index.put(fence, polygons)

    def one_by_one(matcher: Any) -> Matcher:
        return lambda asked: [matcher.at(lon, lat) for lon, lat in asked]

    singles = {"scan of boxes": scan, "FenceIndex": index, "STRtree": tree}
    return {way: one_by_one(each) for way, each in singles.items()} | {"STRtree, bulk": tree.bulk}


def _rate(way: str, matcher: Matcher, asked: list[Place], right: list[list[str]], turn_s: float) -> float:
    """Double the number of places until a turn takes `turn_s`; return its places per second.

    Times are processor times, since these do not depend on other processes.
    """
    count = 20
    while True:
        began_s = time.process_time()
        found = matcher(asked[:count])
        took_s = time.process_time() - began_s
        if found != right[:count]:
            raise ValueError(f"{way} and GEOS find different fences for at least one of {count} places")
        if took_s > turn_s or count == len(asked):
            return count / took_s
        count = min(len(asked), 2 * count)


def push_rate(spark: Any, push: Callable[..., Any], updates: int, fences: int = 1_000, shards: int = 4) -> PushRate:
    """Return the rate of the whole pipeline for one file of updates, after a smaller one that warms it up.

    The pipeline reads, parses, orders and matches the records. Workers keep their state, and the events are counted.
    """
    sent = sent_positions(WARM_UP + updates)
    files = [sent_fences(fences) + sent[:WARM_UP], sent[WARM_UP:]]
    played = play(spark, files, lambda records: push(records, shards, LATENESS_S), keep_rows=False)
    return PushRate(updates, updates / played.seconds[-1], played.total)


def watch_rate(watch: Callable[[], Any], updates: int, fences: int = 1_000) -> float:
    """Return the updates per second of one core of a `Watch` alone, without parsing, ordering and workers."""
    from streamlab.lab08_geofencing.geo import Change

    alone = watch()
    for number, (name, polygons) in enumerate(stars("push", fences).items()):
        alone.change(Change(name, 0, polygons, number))
    moves: list[Position] = positions("push", WARM_UP + updates, MOVERS)
    began_s = time.process_time()
    for each in moves:
        alone.move(each)
    return len(moves) / (time.process_time() - began_s)


def sent_fences(count: int) -> list[Sent]:
    """Return the records of the fences that `push` watches in the experiments."""
    return [Sent.of_text("fences", name, as_geojson(each), 0) for name, each in stars("push", count, CORNERS).items()]


def sent_positions(count: int) -> list[Sent]:
    """Return the records of positions of 5,000 movers, 1 ms apart."""
    return [_sent(each) for each in positions("push", count, MOVERS)]


def _sent(position: Position) -> Sent:
    value = f'{{"mover": "{position.mover}", "lon": {position.lon!r}, "lat": {position.lat!r}}}'
    return Sent.of_text("positions", position.mover, value, position.time_ms)
