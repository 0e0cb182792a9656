"""A learner's log, fed with steps of a script: what each step answers, and what lies in the folder afterwards.

A batch comes as [[key, value, timestamp in ms], …]. Damage is done while the log is closed.
Keeps out: deaths of the writer and damage at every byte (drive_log_faults), what is right.
"""

import os
import resource
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.inside.rows import Rows, a_kind
from streamlab.wire.batches import batch_of, records_of

ENTRY = struct.Struct(">II")
REFUSALS = (ValueError, LookupError, OSError)  # CorruptBatch is a ValueError, OffsetOutOfRange a LookupError
IO = "/proc/thread-self/io"
OpenLog = Callable[[], Any]


class Script:
    """One log through the steps of a case; what it is opened with stays the same."""

    def __init__(self, open_log: OpenLog, folder: Path) -> None:
        self._open, self._folder = open_log, folder
        self._log: Any = open_log()

    def answers(self, steps: list[list[Any]]) -> list[Rows]:
        """The answer to each step."""
        return [getattr(self, f"_{name}")(*arguments) for name, *arguments in steps]

    def _append(self, records: list[Any]) -> Rows:
        return self._appended(batch_from(records), len(records))

    def _append_broken(self, how: str, records: list[Any]) -> Rows:
        batch = batch_from(records)
        broken = {
            "short": batch[:40],
            "length": batch + b"\0",
            "crc": batch[:-1] + bytes([batch[-1] ^ 1]),
            "count": batch,
        }
        return self._appended(broken[how], len(records) + (how == "count"))

    def _appended(self, batch: bytes, records: int) -> Rows:
        return _or_rejected(lambda: {"offset": _whole_number(self._log.append(batch, records))})

    def _read(self, offset: int, max_bytes: int) -> Rows:
        before, text_bytes = _read_by_thread()
        try:
            batches = self._log.read(offset, max_bytes)
        except REFUSALS as refusal:
            return _range_or_text(refusal)
        after, _ = _read_by_thread()
        came = None if before is None or after is None else after - before - text_bytes
        if not isinstance(batches, list | tuple):
            return {"returned": a_kind(batches)}
        return {"batches": [as_row(batch) for batch in batches], "bytes_read": came}

    def _reopen(self) -> Rows:
        self._close()
        return self._opened()

    def _recover(self) -> Rows:
        return _or_rejected(lambda: {"cut": _whole_number(self._log.recover())})

    def _retain(self, now_ms: int, retention_ms: int) -> Rows:
        return _or_rejected(
            lambda: {
                "gone": _whole_number(self._log.retain(now_ms, retention_ms)),
                "start": _whole_number(self._log.start_offset),
            }
        )

    def _offsets(self) -> Rows:
        return _offsets_of(self._log)

    def _files(self) -> Rows:
        paths = sorted(path for path in self._folder.iterdir() if path.suffix in (".log", ".index"))
        indexes = {path.name: stored_entries(path) for path in paths if path.suffix == ".index"}
        return {"files": [[path.name, path.stat().st_size] for path in paths], "index": indexes}

    def _damage(self, segment: int, how: str, amount: int) -> Rows:
        self._close()
        damage(sorted(self._folder.glob("*.log"))[segment], how, amount)
        return self._opened()

    def _disk_full(self, bytes_left: int, records: list[Any]) -> Rows:
        newest = max(self._folder.glob("*.log"))
        batch = batch_from(records)
        with files_end_at(newest.stat().st_size + bytes_left):
            return self._appended(batch, len(records))

    def _close(self) -> None:
        if self._log is not None:
            self._log.close()

    def _opened(self) -> Rows:
        self._log = None  # where it cannot be opened, the steps after this one have none
        try:
            self._log = self._open()
        except REFUSALS as refusal:
            return _range_or_text(refusal)
        return _offsets_of(self._log)


def batch_from(records: list[Any]) -> bytes:
    """The batch of [[key, value, timestamp in ms], …], as a producer would send it."""
    pairs = [(in_bytes(key), in_bytes(value)) for key, value, _ in records]
    return batch_of(pairs, [when_ms for *_, when_ms in records])


def as_row(batch: Any) -> Any:
    """[base offset, records, size, [[offset, timestamp, key, value], …]]; the kind of what is no batch."""
    try:
        base, count, data = batch.base_offset, batch.records, bytes(batch.data)
        records = [[at, when_ms, as_text(key), as_text(value)] for at, when_ms, key, value in records_of(data)]
    except Exception:
        return a_kind(batch)
    return [base, count, len(data), records]


def in_bytes(text: str | None) -> bytes | None:
    """A key or value of a case in bytes."""
    return None if text is None else text.encode()


def as_text(data: bytes | None) -> str | None:
    """A key or value as a case has it; what is no UTF-8 shows as escapes."""
    return None if data is None else bytes(data).decode(errors="backslashreplace")


def stored_entries(index: Path) -> list[list[int]]:
    """The pairs of numbers in an index file, as far as they are whole."""
    data = index.read_bytes()
    return [list(entry) for entry in ENTRY.iter_unpack(data[: len(data) // ENTRY.size * ENTRY.size])]


def damage(log: Path, how: str, amount: int) -> None:
    """Do to a segment what `how` says; `amount` bytes, where it has an amount."""
    index, size = log.with_suffix(".index"), log.stat().st_size
    if how == "cut":
        os.truncate(log, max(0, size - amount))
    elif how == "flip":
        flip_a_bit(log, size - amount)
    elif how in ("log_gone", "index_gone"):
        (log if how == "log_gone" else index).unlink()
    else:
        last = (stored_entries(index) or [[0, 0]])[-1] if index.exists() else [0, 0]
        more = {
            "tail": b"\x5a" * amount,
            "index_longer": ENTRY.pack(last[0] + 1, size + 4096),
            "index_odd": b"\0\0\1",
            "index_falling": ENTRY.pack(0, 0),
        }
        with open(log if how == "tail" else index, "ab") as file:
            file.write(more[how])


def flip_a_bit(path: Path, at: int) -> None:
    """Another lowest bit in the byte `at`."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """No file of this process can grow beyond `size`; a write that would is cut or raises OSError (EFBIG)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _offsets_of(log: Any) -> Rows:
    return {"start": _whole_number(log.start_offset), "end": _whole_number(log.end_offset)}


def _or_rejected(answer: Callable[[], Rows]) -> Rows:
    try:
        return answer()
    except REFUSALS as refusal:
        return {"rejected": name_of(refusal)}


def _range_or_text(refusal: Exception) -> Rows:
    name = name_of(refusal)
    if name == "OffsetOutOfRange":
        return {"rejected": name, "start": getattr(refusal, "start", None), "end": getattr(refusal, "end", None)}
    return {"rejected": name, "text": str(refusal)[:300]}


def name_of(refusal: Exception) -> str:
    """The class of an error; all that the system says about files is OSError."""
    return "OSError" if isinstance(refusal, OSError) else type(refusal).__name__


def _whole_number(value: Any) -> Any:
    return value if type(value) is int else a_kind(value)


def _read_by_thread() -> tuple[int | None, int]:
    """What this thread has read so far, and how many bytes it took to ask; None where the system does not tell."""
    try:
        with open(IO, "rb", buffering=0) as file:
            text = file.read(4096)
        return int(text.split(b"rchar:")[1].split()[0]), len(text)
    except (OSError, IndexError, ValueError):
        return None, 0
