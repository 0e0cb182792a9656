"""A seeded city: phones and tills send to three topics, and some records are faulty.

The city chooses the partition of each record. So their offsets follow from the seed, if they are sent in order.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

from streamlab.lab08_geofencing.fences import Polygons, as_geojson, districts
from streamlab.lab09_system.words import Record

START_MS = 1_700_000_000_000
YEAR_MS = 365 * 86_400_000
LATE_MS = 900  # a record's event is at most this long before it is sent
PARTITIONS = {"fences": 1, "payments": 2, "positions": 2}
CENTS = (500, 900, 2_000, 4_000, 30_000)
LIMITS = (5_000, 20_000, 100_000)
POISONS: tuple[tuple[bytes | None, bytes | None], ...] = (
    (b"acc0001", b"\xff\xfe"),
    (None, b"{}"),
    (b"acc0002", b'{"account": "acc0002", "id": "x", "cents": true, "shop": "s"}'),
    (b"acc0003", b"[" * 3000),
    (b"acc0004", None),
)


class Part(NamedTuple):
    """What sources send in some seconds. `hot`: the share of one account; `poison`, `ahead`: faulty records."""

    begin_s: int
    end_s: int
    per_s: int
    hot: float = 0.0
    poison: int = 0
    ahead: int = 0


class City:
    """The sources of one seed. Each call of a method continues the numbering of offsets, so call them in order."""

    def __init__(self, seed: str, accounts: int = 200, shops: int = 12) -> None:
        rng = Random(f"city of {seed}")
        self._seed, self._offsets = seed, Counter[tuple[str, int]]()
        self.shops: dict[str, Polygons] = dict(sorted(districts().items())[:shops])
        self._centres = {name: _centre(polygons) for name, polygons in self.shops.items()}
        self.accounts = [f"acc{number:04}" for number in range(accounts)]
        known = self.accounts[: accounts * 19 // 20]  # the store does not know the others
        self.limits = {account: rng.choice(LIMITS) for account in known}

    def fences(self) -> list[Record]:
        """Return the shops' fences, which must arrive before all other records."""
        shops = self.shops.items()
        return [self._numbered("fences", name.encode(), as_geojson(each).encode(), -1, 0) for name, each in shops]

    def records(self, part: Part) -> list[list[Record]]:
        """Return the records of each second of a part, in the order in which they are sent.

        A micro-batch may begin anywhere, and read more of one partition than of another. So a query drops none of them
        as late if its lateness is longer than the part by `LATE_MS`, and all earlier parts are processed.
        """
        seconds = [list[Record]() for _ in range(part.begin_s, part.end_s)]
        for at_ms, topic, key, value, time_ms in sorted(self._sent(part), key=lambda sent: sent[0]):
            second = min(at_ms // 1000, part.end_s - 1) - part.begin_s
            seconds[second].append(self._numbered(topic, key, value, time_ms, at_ms))
        return seconds

    def closing(self, at_s: int) -> list[Record]:
        """Return a position that moves the watermark beyond everything; its source and its connector are ahead."""
        at_ms = 1000 * at_s + 600_000
        value = json.dumps({"mover": "closing", "lon": 0.0, "lat": 0.0}).encode()
        return [self._numbered("positions", b"closing", value, at_ms, at_ms)]

    def _numbered(self, topic: str, key: bytes | None, value: bytes | None, time_ms: int, at_ms: int) -> Record:
        partition = crc32(key or b"") % PARTITIONS[topic]
        offset = self._offsets[topic, partition]
        self._offsets[topic, partition] += 1
        return Record(topic, partition, offset, key, value, START_MS + time_ms, START_MS + at_ms)

    def _sent(self, part: Part) -> Iterator[tuple[int, str, bytes | None, bytes | None, int]]:
        """Yield (sent at, topic, key, value, time) of a part's records."""
        rng = Random(f"{self._seed} from {part.begin_s}")
        begin_ms, length_ms = 1000 * part.begin_s, 1000 * (part.end_s - part.begin_s)
        count = part.per_s * length_ms // 1000
        for number in range(count):
            at_ms = begin_ms + length_ms * number // count
            time_ms = at_ms - rng.choice([0, 0, 0, rng.randrange(LATE_MS)])
            account = self.accounts[7] if rng.random() < part.hot else rng.choice(self.accounts)
            topic, value = self._event(rng, account, f"{part.begin_s}-{number}")
            yield at_ms, topic, account.encode(), value, time_ms
            if topic == "payments" and rng.random() < 0.05:  # the till sends it again
                yield at_ms + 1, topic, account.encode(), value, time_ms
        for number, at_ms in enumerate(_spread(part.poison, begin_ms, length_ms)):
            yield at_ms, rng.choice(["payments", "positions"]), *POISONS[number % len(POISONS)], at_ms
        for number, at_ms in enumerate(_spread(part.ahead, begin_ms, length_ms)):
            paid = _payment("acc0005", f"ahead {part.begin_s}-{number}", 100, next(iter(self.shops)))
            yield at_ms, "payments", b"acc0005", paid, at_ms + YEAR_MS

    def _event(self, rng: Random, account: str, id_: str) -> tuple[str, bytes]:
        shop = rng.choice(list(self.shops))
        if rng.random() < 0.5:
            lon, lat = self._centres[shop]
            place = {"lon": lon + rng.uniform(-0.01, 0.01), "lat": lat + rng.uniform(-0.005, 0.005)}
            return "positions", json.dumps({"mover": account, **place}).encode()
        return "payments", _payment(account, id_, rng.choice(CENTS), shop)


def _payment(account: str, id_: str, cents: int, shop: str) -> bytes:
    return json.dumps({"account": account, "id": id_, "cents": cents, "shop": shop}).encode()


def _spread(count: int, begin_ms: int, length_ms: int) -> Iterable[int]:
    return (begin_ms + length_ms * number // count for number in range(count))


def _centre(polygons: Any) -> tuple[float, float]:
    corners = polygons[0][0][:-1]
    return sum(lon for lon, _ in corners) / len(corners), sum(lat for _, lat in corners) / len(corners)
