"""What a desk remembers: plain data, so that it can be pickled between two batches."""

from collections.abc import Iterable
from typing import Any

from streamlab.lab08_geofencing.geo import Event


def new_state() -> dict[str, Any]:
    """Return the state of a desk that has seen nothing yet."""
    return {
        "waiting": [],  # rows later than the watermark
        "watch": None,  # the state of the Watch
        "spent": None,  # the state of the Aggregate
        "shops": set(),  # those that exist
        "inside": {},  # account -> the shops in which its phone is
        "seen_ms": {},  # account -> the time of its phone's newest position
        "counted_ms": {},  # (account, id) -> the time of the payment that counted
    }


def keep_inside(inside: dict[str, set[str]], events: Iterable[Event]) -> None:
    """Update `inside`, account -> shops, with the events of a Watch."""
    for event in events:
        shops = inside.setdefault(event.mover, set())
        (shops.discard if event.kind == "EXIT" else shops.add)(event.fence)
