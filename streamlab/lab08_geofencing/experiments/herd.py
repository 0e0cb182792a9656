"""Experiment of Lab 8 on a herd: a fence set by a farmer, one that follows a calf, and contacts against the truth."""

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from streamlab.lab08_geofencing.experiments.streams import play
from streamlab.lab08_geofencing.fences import as_geojson
from streamlab.lab08_geofencing.geo import Polygons, circle
from streamlab.lab08_geofencing.herd import Herd, Pasture, herd
from streamlab.lab08_geofencing.two_topics import Sent

CALF, CALF_RADIUS_M, FOLLOW_S = "cow-00", 30.0, 120
ANIMALS, MINUTES, FILES, SHARDS, LATENESS_S = 20, 20, 4, 2, 300.0
PASTURE_M, MOVED_M = 32.0, 42.0  # half the side of the pasture, and how far the farmer moves it
MOST_HDOP = 5.0
SOON_MS = 1_000  # the delay of a change after a fix, so no two events have the same time
CONTACT_M, NOISES_M, WINDOWS_S = 4.0, (0.0, 1.0, 2.5, 5.0), (20, 60, 300)


Tracks = dict[str, list[tuple[int, float, float]]]  # mover -> (ms, longitude, latitude)


class Grazing(NamedTuple):
    """A herd for the map: the fences by name, as they were set, the good fixes of each animal, and the files sent."""

    fences: dict[str, Polygons]
    tracks: Tracks
    files: list[list[Sent]]


class Quality(NamedTuple):
    """The quality of contacts compared with the true tracks, counted in pairs of animals and windows."""

    noise_m: float
    window_s: int
    found: int
    precision: float  # the share of found contacts that are true
    recall: float  # the share of true contacts that are found


def grazing(seed: str = "wood") -> Grazing:
    """Return the records of the collars and the farmer, in files by time of arrival.

    The farmer sets "pasture" at the beginning and moves it to the east after half of the time (on demand). The fence
    "near the calf" follows the fixes of cow-00, every two minutes (real time).
    """
    cows = herd(seed, ANIMALS, MINUTES)
    tracks: Tracks = {}
    records: list[tuple[int, Sent]] = []
    for fix in cows.fixes:
        seen = json.loads(fix.value)
        if seen["hdop"] <= MOST_HDOP:
            tracks.setdefault(fix.mover, []).append((fix.time_ms, seen["lon"], seen["lat"]))
            records.append((fix.arrival_ms, Sent.of_text("positions", fix.mover, fix.value, fix.time_ms)))
    tracks = {mover: sorted(set(track)) for mover, track in sorted(tracks.items())}
    fences = _pastures(cows.pasture, tracks[CALF][0][1:])
    half_ms = cows.pasture.start_ms + 30_000 * MINUTES + SOON_MS
    for (_, polygons), time_ms in zip(fences.items(), (cows.pasture.start_ms, half_ms), strict=True):
        records.append((time_ms, Sent.of_text("fences", "pasture", as_geojson(polygons), time_ms)))
    records += _following(tracks[CALF])
    fences["near the calf"] = circle(*tracks[CALF][-1][1:], CALF_RADIUS_M)
    return Grazing(fences, tracks, _in_files(records, cows.pasture.start_ms))


def grazed(spark: Any, push: Callable[..., Any], sent: Grazing) -> list[tuple[str, str, str, int]]:
    """Return the events (kind, mover, fence, ms) of a herd; a last position moves the watermark past all others."""
    last_ms = max(each.time_ms for each in sent.files[-1]) + int(2000 * LATENESS_S)
    closing = Sent.of_text("positions", "closing", '{"mover": "closing", "lon": 0, "lat": 0}', last_ms)
    rows = play(spark, [*sent.files, [closing]], lambda records: push(records, SHARDS, LATENESS_S)).rows
    return [(row.kind, row.mover, row.fence, round(1000 * row.time.timestamp())) for row in rows]


def busiest(tracks: Tracks, events: Sequence[tuple[str, str, str, int]], count: int = 2) -> Tracks:
    """Return the tracks of the calf and of the animals that enter and leave most often."""
    crossings = Counter(mover for kind, mover, _, _ in events if kind != "INSIDE" and mover != CALF)
    return {mover: tracks[mover] for mover in sorted([CALF, *(mover for mover, _ in crossings.most_common(count))])}


def contact_quality(
    spark: Any,
    contacts: Callable[..., Any],
    noises_m: Sequence[float] = NOISES_M,
    windows_s: Sequence[int] = WINDOWS_S,
) -> list[Quality]:
    """Return precision and recall of contacts of 4 m for each noise and window; the herd's true tracks are the same.

    `contacts` gets a static DataFrame, so watermarks do not matter. Each noise has its own pasture, one degree to the
    east of the previous one, so one run computes all of them.
    """
    herds = [herd("pasture", noise_m=each, pasture=Pasture(lon=float(at))) for at, each in enumerate(noises_m)]
    fixes = spark.createDataFrame([row for at, each in enumerate(herds) for row in _rows(at, each)], FIXES)
    found = []
    for window_s in windows_s:
        rows = contacts(fixes, CONTACT_M, window_s, 0, 0).collect()
        for at, (noise_m, cows) in enumerate(zip(noises_m, herds, strict=True)):
            found.append(_quality(noise_m, window_s, _found(rows, at, window_s), true_meetings(cows, window_s)))
    return found


FIXES = "mover string, time timestamp, lon double, lat double"
Meetings = set[tuple[str, str, int]]  # (a, b, begin of the window in ms)


def true_meetings(cows: Herd, window_s: int, distance_m: float = CONTACT_M) -> Meetings:
    """Return the pairs of animals that really were within a distance of each other at some moment of a window."""
    met: Meetings = set()
    animals = sorted({animal for _, animal in cows.truth})
    for step in sorted({step for step, _ in cows.truth}):
        time_ms = cows.pasture.time_ms(step)
        begin_ms = time_ms - time_ms % (1000 * window_s)
        for a in animals:
            for b in animals[a + 1 :]:
                if math.dist(cows.truth[step, a], cows.truth[step, b]) <= distance_m:
                    met.add((f"cow-{a:02}", f"cow-{b:02}", begin_ms))
    return met


def _found(rows: Sequence[Any], herd_number: int, window_s: int) -> Meetings:
    """Split contacts into windows: with a gap of 0, every window of a contact has a meeting."""
    met: Meetings = set()
    for row in rows:
        if row.a.startswith(f"{herd_number}/"):
            begin_ms, end_ms = (round(1000 * each.timestamp()) for each in (row.begin, row.end))
            a, b = row.a.partition("/")[2], row.b.partition("/")[2]
            met |= {(a, b, at_ms) for at_ms in range(begin_ms, end_ms, 1000 * window_s)}
    return met


def _quality(noise_m: float, window_s: int, found: Meetings, true: Meetings) -> Quality:
    both = len(found & true)
    return Quality(noise_m, window_s, len(found), both / max(1, len(found)), both / max(1, len(true)))


def _rows(herd_number: int, cows: Herd) -> list[tuple[str, datetime, float, float]]:
    rows = []
    for fix in cows.fixes:
        seen = json.loads(fix.value)
        if seen["hdop"] <= MOST_HDOP:
            time = datetime.fromtimestamp(fix.time_ms / 1000, UTC)
            rows.append((f"{herd_number}/{fix.mover}", time, seen["lon"], seen["lat"]))
    return rows


def _pastures(pasture: Pasture, middle: tuple[float, float]) -> dict[str, Polygons]:
    around = pasture._replace(lon=middle[0], lat=middle[1])
    return {"pasture, at first": _square(around, 0.0), "pasture, moved": _square(around, MOVED_M)}


def _square(around: Pasture, east_m: float) -> Polygons:
    west_m, far_m = east_m - PASTURE_M, east_m + PASTURE_M
    corners = [(west_m, -PASTURE_M), (far_m, -PASTURE_M), (far_m, PASTURE_M), (west_m, PASTURE_M), (west_m, -PASTURE_M)]
    return ((tuple(around.place(*corner) for corner in corners),),)


def _following(track: list[tuple[int, float, float]]) -> list[tuple[int, Sent]]:
    changes, next_ms = [], track[0][0]
    for time_ms, lon, lat in track:
        if time_ms >= next_ms:
            fence = as_geojson(circle(lon, lat, CALF_RADIUS_M))
            changes.append((time_ms + SOON_MS, Sent.of_text("fences", "near the calf", fence, time_ms + SOON_MS)))
            next_ms = time_ms + 1000 * FOLLOW_S
    return changes


def _in_files(records: list[tuple[int, Sent]], start_ms: int) -> list[list[Sent]]:
    files: list[list[Sent]] = [[] for _ in range(FILES)]
    for arrival_ms, sent in sorted(records, key=lambda record: record[0]):
        part = (arrival_ms - start_ms) * FILES // (60_000 * MINUTES)
        files[min(part, FILES - 1)].append(sent)
    return files
