"""Seeded cases of `route`: one record each, [topic, partition, offset, key, value, time in ms, received in ms].

The letters of keys and values are bytes (latin-1). Positions and fences have the form of the drive's stub.
"""

import json
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

AHEAD_MS = 60_000
BEGIN_MS = 1_700_000_000_000
IN_1970_MS, IN_2060_MS = 100_000, 2_840_140_800_000
PAYMENT = {"account": "a", "id": "p1", "cents": 500, "shop": "s"}


def _case(
    topic: str, key: str | None, value: str | None, time_ms: int = BEGIN_MS, late_ms: int = 0, **more: Any
) -> Case:
    record = [topic, 0, 7, key, value, time_ms, time_ms + late_ms]
    return {"record": record, "ahead_ms": AHEAD_MS, "reader": "stub", **more}


def _payment(time_ms: int = BEGIN_MS, late_ms: int = 0, **fields: Any) -> Case:
    return _case("payments", "a", json.dumps(PAYMENT | fields), time_ms, late_ms)


def one_way(seed: str) -> list[Case]:
    """Return readable and unreadable records of all topics, and of another one; none is ahead."""
    cents = random_for(seed, "one way").randint(1, 9999)
    rows = [_payment(), _payment(cents=cents), _case("positions", "a", "4;2"), _case("fences", "s", "square")]
    rows += [_case("fences", "s", None), _case("fences", "s", ""), _payment(shop="nowhere"), _payment(late_ms=10**9)]
    fields: list[dict[str, Any]] = [{"cents": 0}, {"cents": True}, {"id": ""}, {"shop": None}, {"account": "b"}]
    unreadable = [_payment(**each) for each in fields]
    unreadable += [_case("payments", "a", value) for value in (None, "", "{", "[1]", "[" * 3000)]
    unreadable += [_case("payments", key, json.dumps(PAYMENT)) for key in (None, "")]
    unreadable += [_case("positions", "a", value) for value in (None, "north")]
    unreadable.append(_case("payments", "a", "\xef\xbb\xbf" + json.dumps(PAYMENT)))  # UTF-8 keeps a byte order mark
    return [*rows, *unreadable, _case("refunds", "a", json.dumps(PAYMENT)), _case("refunds", "a", "4;2")]


def dead_letters(seed: str) -> list[Case]:
    """Return unreadable records, some with bytes that are not UTF-8, and one with an umlaut that is."""
    letters = "".join(map(chr, random_for(seed, "dead letters").sample(range(256), 9))) + "\xff"
    value = json.dumps(PAYMENT)
    return [
        _case("payments", "a", value.replace("p1", "p\xff")),
        _case("payments", "\xff", value),
        _case("positions", "a\xff", "4;2"),
        _case("fences", "s", "square\xff"),
        _case("payments", "a", letters),
        _case("payments", None, None),
        _case("positions", "", letters),
        _case("payments", "a", value.replace("p1", "\xc3\xa4")),
    ]


def ahead(seed: str) -> list[Case]:
    """Return records with clocks ahead, exactly at the limit and late, received long ago and in the future.

    One that is ahead cannot be read.
    """
    rng = random_for(seed, "ahead")
    found = []
    for received_ms in (BEGIN_MS, IN_1970_MS, IN_2060_MS):
        for early_ms in (AHEAD_MS + 1, AHEAD_MS, -5, 365 * 86_400_000, rng.randint(1, 2 * AHEAD_MS)):
            found.append(_payment(received_ms + early_ms, -early_ms))
        found.append(_case("positions", "a", "4;2", received_ms + AHEAD_MS + 1, -AHEAD_MS - 1))
    planned = [_case("fences", "s", value, BEGIN_MS + 10**10, -(10**10)) for value in ("square", None)]
    far, unreadable = _payment(BEGIN_MS + AHEAD_MS, -AHEAD_MS), _payment(BEGIN_MS, -(10**10), cents=0)
    return [*found, *planned, unreadable, far | {"ahead_ms": 0}, _payment() | {"ahead_ms": 0}]


def defects(seed: str) -> list[Case]:
    """Return records at which the reader raises KeyError, TypeError or KeyboardInterrupt, and others."""
    at_ms = BEGIN_MS + random_for(seed, "defects").randint(1, 999)
    bugs = [_case(topic, "bug", "4;2", at_ms) for topic in ("positions", "fences")]
    bugs.append(_case("positions", "bug type", "4;2"))
    return [_case("positions", "a", "4;2"), *bugs, _case("positions", "stop", "4;2"), _case("positions", "b", "x")]


def own_reader(seed: str) -> list[Case]:
    """Return positions as JSON and fences as GeoJSON, for the learner's own `read_record`."""
    lon = random_for(seed, "own reader").randint(1, 99) / 4
    ring = [[0, 0], [4, 0], [4, 4], [0, 0]]
    square = json.dumps({"type": "Polygon", "coordinates": [ring]})
    position = json.dumps({"mover": "a", "lon": lon, "lat": 1})
    pairs = [("positions", "a", position), ("fences", "s", square), ("fences", "s", None)]
    pairs += [("positions", "b", position), ("fences", "s", "{}"), ("positions", "a", "4;2")]
    return [_case(*each, reader="lab08") for each in pairs]
