"""The batches that cases of a log hold as triples: their bytes, which a drive appends."""

from collections.abc import Sequence
from typing import Any

from streamlab.lab03_log.wire.batches import batch_of

Triple = Sequence[Any]  # key, value, timestamp in ms; texts or None

NOT_COVERED = range(12, 16)  # the leader epoch: neither the CRC nor a log's own rules guard it


def bytes_of(triples: Sequence[Triple]) -> bytes:
    """Return the batch that a drive makes of (key, value, timestamp) triples."""
    pairs = [(encoded(key), encoded(value)) for key, value, _ in triples]
    return batch_of(pairs, [when_ms for *_, when_ms in triples])


def encoded(text: str | None) -> bytes | None:
    """Return a key or a value as the bytes in a record."""
    return None if text is None else text.encode("utf-8")
