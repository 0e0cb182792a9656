"""Experiment of Lab 8 that breaks an invariant: the clock of one collar runs a year ahead."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from streamlab.lab08_geofencing.experiments.streams import play
from streamlab.lab08_geofencing.two_topics import Sent

MOVERS, FILES, MINUTES, SHARDS, LATENESS_S = 12, 3, 30, 2, 60.0
START_MS, YEAR_MS = 1_700_000_000_000, 365 * 86_400_000
PASTURE = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}'


class Clock(NamedTuple):
    """The events of the other movers, and the number of rows that Spark dropped as late."""

    events: list[tuple[str, str, str, int]]
    dropped: int


def events_with(spark: Any, push: Callable[..., Any], is_ahead: bool) -> Clock:
    """Return the events of `push` for half an hour of twelve movers.

    If `is_ahead`, one more collar sends a position of next year, in the second of three files. A last position moves
    the watermark past all others.
    """
    files = _files()
    if is_ahead:
        files[1].append(_position("ahead", START_MS + YEAR_MS, 0.5))
    closing = _position("closing", START_MS + 2 * YEAR_MS, 5.0)
    played = play(spark, [*files, [closing]], lambda records: push(records, SHARDS, LATENESS_S))
    events = [(row.kind, row.mover, row.fence, round(1000 * row.time.timestamp())) for row in played.rows]
    return Clock(sorted(each for each in events if each[1] not in ("ahead", "closing")), played.dropped)


def _files() -> list[list[Sent]]:
    rng, files = random.Random("clock"), list[list[Sent]]()
    for file in range(FILES):
        rows = [Sent.of_text("fences", "pasture", PASTURE, START_MS)] if file == 0 else []
        for minute in range(MINUTES // FILES):
            time_ms = START_MS + 60_000 * (file * (MINUTES // FILES) + minute)
            for mover in range(MOVERS):
                if rng.random() < 0.5:
                    rows.append(_position(f"cow-{mover:02}", time_ms + 1000 * mover, rng.uniform(-0.6, 1.6)))
        files.append(rows)
    return files


def _position(mover: str, time_ms: int, lon: float) -> Sent:
    return Sent.of_text("positions", mover, f'{{"mover": "{mover}", "lon": {lon:.4f}, "lat": 0.5}}', time_ms)
