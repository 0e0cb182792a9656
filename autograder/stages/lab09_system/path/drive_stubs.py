"""Stubs of `read_record`, `route`, `Desk` and `bucket_of` by other rules, and a store that writes down its calls.

A position is written "lon", a payment "id;cents;shop", and a fence as any text. A desk notes what it knows at each
payment: the longitude of the phone, the open shops, and the limit.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

from streamlab.lab06_enrichment import NO_ANSWER
from streamlab.lab09_system import Alert, Change, Dead, Payment, Position, Record, order_of

Row = Change | Position | Payment


def read_short(record: Record, ahead_ms: int) -> Row | Dead:
    """Return the row of a record in the short form; dead letters are "smudged", or "early" by twice `ahead_ms`."""
    topic, _, offset, key, value, time_ms, received_ms = record
    if topic != "fences" and time_ms > received_ms + 2 * ahead_ms:
        return Dead(record, "early")
    try:
        name, text = key.decode(), None if value is None else value.decode()  # type: ignore[union-attr]
        if topic == "fences":
            return Change(name, time_ms, text, offset)  # type: ignore[arg-type]
        if topic == "positions":
            return Position(name, time_ms, float(text), 0.0, offset)  # type: ignore[arg-type]
        one, cents, shop = text.split(";")  # type: ignore[union-attr]
        return Payment(name, time_ms, one, int(cents), shop, offset)
    except (AttributeError, TypeError, ValueError):
        return Dead(record, "smudged")


def read_pair(topic: str, key: str | None, value: str | None, time_ms: int, offset: int) -> Position | Change:
    """Read "lon;lat" as a position and any text as the shape of a fence; raise other errors for some keys."""
    if key in ("bug", "bug type"):
        raise KeyError(key) if key == "bug" else TypeError(key)
    if key == "stop":
        raise KeyboardInterrupt
    if topic not in ("positions", "fences") or not key:
        raise ValueError(f"expected a known topic and a key, got {topic!r} and {key!r}")
    if topic == "fences":
        return Change(key, time_ms, value, offset)  # type: ignore[arg-type]
    lon, lat = (value or "").split(";")
    return Position(key, time_ms, float(lon), float(lat), offset)


def by_letters(row: dict[str, Any], fields: Iterable[str], buckets: int) -> int:
    """Return the sum of all letters' codes, modulo `buckets`."""
    return sum(sum(map(ord, str(row[field]))) for field in fields) % buckets


class NotingDesk:
    """Reports each payment when the watermark has reached it; `state` is (waiting rows, shops, longitudes)."""

    def __init__(self, state: Any = None) -> None:
        self.state: tuple[list[Row], set[str], dict[str, float]] = state or ([], set(), {})

    def run(self, arrived: Iterable[Row], watermark_ms: int) -> list[Alert]:
        """Return a row for each payment that the watermark has reached."""
        waiting, shops, places = self.state
        rows, found = sorted([*waiting, *arrived], key=order_of), []
        for row in rows:
            if row.time_ms > watermark_ms:
                break
            if isinstance(row, Change):
                (shops.discard if row.polygons is None else shops.add)(row.fence)
            elif isinstance(row, Position):
                places[row.mover] = row.lon
            else:
                known = f"{row.id} {places.get(row.account)} {' '.join(sorted(shops))}"
                limit_cents = -1 if row.limit_cents is None else row.limit_cents
                found.append(Alert("NOTED", row.account, known, row.time_ms, limit_cents))
        self.state = [row for row in rows if row.time_ms > watermark_ms], shops, places
        return found


class Opener:
    """Opens a store that answers from `limits`; in its folder, each opening and each call leaves a file."""

    newest: "Opener"  # of this process: what it unpickled last belongs to the query that runs

    def __init__(self, folder: Path, limits: dict[str, str]) -> None:
        self.folder, self.limits = folder, limits

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        Opener.newest = self

    def __call__(self) -> "LimitsStore":
        """Open the store, in a worker."""
        self.note("opened", os.getpid())
        return LimitsStore()

    def note(self, what: str, told: Any) -> None:
        """Leave a file with what happened."""
        (self.folder / f"{what}-{uuid4()}.json").write_text(json.dumps(told), "utf-8")

    def noted(self, what: str) -> list[Any]:
        """Return what all files of this kind tell."""
        return [json.loads(path.read_text("utf-8")) for path in self.folder.glob(f"{what}-*.json")]


class LimitsStore:
    """Asks for limits: unknown accounts have None, and those whose names begin with "n" get no answer."""

    def get_many(self, accounts: Iterable[str]) -> dict[str, Any]:
        """Return a row, None or NO_ANSWER for every account."""
        asked, opener = list(accounts), Opener.newest
        opener.note("asked", asked)
        return {each: NO_ANSWER if each.startswith("n") else opener.limits.get(each) for each in asked}

    def __reduce__(self) -> Any:
        raise TypeError("an open store cannot be sent to another process; open it in the workers")
