"""Convert batches of a case to bytes, as a producer sends them, and back to rows; run calls of a log.

A batch of a case is [[key, value, timestamp in ms], …].
"""

from collections.abc import Callable
from typing import Any

from autograder.inside.rows import Rows, or_rejected, plain, type_name
from streamlab.lab03_log.wire.batches import OffsetOutOfRange, batch_of, records_of


def batch_from(records: list[Any]) -> bytes:
    """Return the batch of [[key, value, timestamp in ms], …]."""
    pairs = [(in_bytes(key), in_bytes(value)) for key, value, _ in records]
    return batch_of(pairs, [when_ms for *_, when_ms in records])


def broken_batch(how: str, records: list[Any]) -> tuple[bytes, int]:
    """Return a batch that is incomplete or does not fit its number of records, and that number."""
    batch = batch_from(records)
    broken = {"short": batch[:40], "cut": batch[:-1], "length": batch + b"\0", "count": batch}
    broken["crc"] = batch[:-1] + bytes([batch[-1] ^ 1])
    broken["header"] = batch[:8] + (int.from_bytes(batch[8:12]) + 1).to_bytes(4) + batch[12:]  # the CRC stays right
    return broken[how], len(records) + (how == "count")


def as_row(base: Any, count: Any, data: Any) -> Any:
    """Return [base offset, records, size, [[offset, timestamp, key, value], …]], or the kind of an invalid batch."""
    try:
        records = [[at, when_ms, as_text(key), as_text(value)] for at, when_ms, key, value in records_of(bytes(data))]
    except Exception:
        return type_name(data)
    return [base, count, len(data), records]


def in_bytes(text: str | None) -> bytes | None:
    """Return a key or value of a case in bytes."""
    return None if text is None else text.encode()


def as_text(data: bytes | None) -> str | None:
    """Return a key or value in the form of a case; bytes that are not UTF-8 appear as escapes."""
    return None if data is None else bytes(data).decode(errors="backslashreplace")


def whole_number(value: Any) -> Any:
    """Return an int unchanged, otherwise the kind of the value."""
    return value if type(value) is int else type_name(value)


def answered(answer: Callable[[], Rows]) -> Rows:
    """Return the answer, or the rejection; every error of the system about files becomes an OSError."""
    try:
        return or_rejected(answer, ValueError)  # CorruptBatch is one
    except OffsetOutOfRange as outside:
        return {"rejected": "OffsetOutOfRange", "start": plain(outside.start), "end": plain(outside.end)}
    except OSError as problem:
        return {"rejected": "OSError", "text": str(problem)[:300]}
