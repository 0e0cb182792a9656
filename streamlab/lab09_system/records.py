"""Reads payments, and tells the order of rows."""

import json

from streamlab.lab08_geofencing.geo import Change, Position
from streamlab.lab09_system.words import Payment


def read_payment(key: str | None, value: str | None, time_ms: int, offset: int) -> Payment:
    """Return the payment that a record holds; raise ValueError if it is invalid.

    The value is a JSON object with `account`, which equals the key, `id`, `cents` (a positive whole number) and `shop`.
    Like `json.loads`, it raises RecursionError for thousands of nested brackets.
    """
    told = json.loads(value or "null")
    if not isinstance(told, dict) or not key or told.get("account") != key or time_ms < 0:
        raise ValueError("expected a JSON object whose account is the key")
    id_, cents, shop = told.get("id"), told.get("cents"), told.get("shop")
    if not (isinstance(id_, str) and id_ and isinstance(shop, str) and shop and type(cents) is int and cents > 0):
        raise ValueError("expected an id, a shop and a positive number of cents")
    return Payment(key, time_ms, id_, cents, shop, offset)


def order_of(row: Payment | Position | Change) -> tuple[int, int, int]:
    """Return the sorting key of a row: by time, then changes, positions, payments, then offset."""
    return row.time_ms, (0 if isinstance(row, Change) else 1 if isinstance(row, Position) else 2), row.offset


def limit_of(row: str | None) -> int:
    """Return an account's limit in cents from its row in the store; an unknown account (None) may spend nothing."""
    return 0 if row is None else int(row)
