"""Batches of a case, as a producer would send them, and batches as rows; answers and rejections of a log.

A batch of a case is [[key, value, timestamp in ms], …].
"""

from collections.abc import Callable
from typing import Any

from autograder.inside.rows import Rows, a_kind, or_rejected, plain
from streamlab.wire.batches import OffsetOutOfRange, batch_of, records_of


def batch_from(records: list[Any]) -> bytes:
    """The batch of [[key, value, timestamp in ms], …]."""
    pairs = [(in_bytes(key), in_bytes(value)) for key, value, _ in records]
    return batch_of(pairs, [when_ms for *_, when_ms in records])


def broken_batch(how: str, records: list[Any]) -> tuple[bytes, int]:
    """A batch that is not whole, or does not fit its number of records; and that number."""
    batch = batch_from(records)
    broken = {"short": batch[:40], "cut": batch[:-1], "length": batch + b"\0", "count": batch}
    broken["crc"] = batch[:-1] + bytes([batch[-1] ^ 1])
    return broken[how], len(records) + (how == "count")


def as_row(base: Any, count: Any, data: Any) -> Any:
    """[base offset, records, size, [[offset, timestamp, key, value], …]]; the kind of what is no batch."""
    try:
        records = [[at, when_ms, as_text(key), as_text(value)] for at, when_ms, key, value in records_of(bytes(data))]
    except Exception:
        return a_kind(data)
    return [base, count, len(data), records]


def in_bytes(text: str | None) -> bytes | None:
    """A key or value of a case in bytes."""
    return None if text is None else text.encode()


def as_text(data: bytes | None) -> str | None:
    """A key or value as a case has it; what is no UTF-8 shows as escapes."""
    return None if data is None else bytes(data).decode(errors="backslashreplace")


def whole_number(value: Any) -> Any:
    """An int as it is, the kind of anything else."""
    return value if type(value) is int else a_kind(value)


def answered(answer: Callable[[], Rows]) -> Rows:
    """The answer, or the rejection: all that the system says about files is an OSError."""
    try:
        return or_rejected(answer, ValueError)  # CorruptBatch is one
    except OffsetOutOfRange as outside:
        return {"rejected": "OffsetOutOfRange", "start": plain(outside.start), "end": plain(outside.end)}
    except OSError as problem:
        return {"rejected": "OSError", "text": str(problem)[:300]}
