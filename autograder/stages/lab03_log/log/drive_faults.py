"""Kill the writer of a learner's log and read what the log kept; run one turn of the throughput check."""

import hashlib
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.inside.patience import wait_until
from autograder.inside.rows import Rows
from streamlab.lab03_log.wire.batches import batch_of, header_of, records_of
from streamlab.sources.whole_files import write_whole
from streamlab.spark.killable_job import JobEnded

RECORDS_A_BATCH = 5
PATIENCE_S = 20.0
EVERYTHING = 1 << 30


def _batches_of(log: Any) -> list[bytes]:
    try:
        return [bytes(batch.data) for batch in log.read(log.start_offset, EVERYTHING)]
    finally:
        log.close()


def killed(make: Any, settings: dict[str, int], kill_after: int, scratch: Path) -> Rows:
    """Return what is left after kill -9 of a writer that had at least `kill_after` records acknowledged."""
    scratch.mkdir()
    folder, notes, failure = scratch / "log", scratch / "acknowledged", scratch / "failure"
    notes.touch()
    with _own_process(lambda: append_for_ever(make(folder, **settings), notes), failure):
        wait_until(lambda: _acknowledged(notes) >= kill_after or failure.exists(), PATIENCE_S)
        if _acknowledged(notes) < kill_after and failure.exists():
            raise JobEnded(failure.read_text(encoding="utf-8"))
    log = make(folder, **settings)
    end, values = log.end_offset, [each.value for batch in _batches_of(log) for each in records_of(batch)]
    right = values == [str(number).encode() for number in range(len(values))] and len(values) == end
    return {"acknowledged": _acknowledged(notes), "kept": end, "values_right": right}


@contextmanager
def _own_process(work: Callable[[], None], failure: Path) -> Iterator[None]:
    """Run `work` in a copy of this process and kill the copy at the end of the block; write its error to a file.

    A fork needs no pickling, unlike a job of Spark: a log may hold objects that cannot be pickled (a struct.Struct).
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # since 3.12, a warning that threads are not copied: the work needs none
        process = os.fork()
    if process == 0:
        try:
            work()
        except BaseException as problem:
            write_whole(failure, f"{type(problem).__name__}: {problem}")
        finally:
            os._exit(1)
    try:
        yield
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def append_for_ever(log: Any, notes: Path) -> None:
    """Append numbered records until killed, with a byte in `notes` for each acknowledged batch."""
    number, acknowledged = 0, os.open(notes, os.O_WRONLY | os.O_APPEND)
    while True:
        values = [str(number + at).encode() for at in range(RECORDS_A_BATCH)]
        log.append(batch_of([(None, value) for value in values]), RECORDS_A_BATCH)
        os.write(acknowledged, b".")
        number += RECORDS_A_BATCH


def _acknowledged(notes: Path) -> int:
    return notes.stat().st_size * RECORDS_A_BATCH


def measured(log: Any, content: bytes, folder: Path) -> Rows:
    """Run one turn: append all batches of `content` and close the log."""
    for batch, records in _in_batches(content):
        log.append(batch, records)
    end = log.end_offset
    log.close()
    digest, segments = hashlib.sha256(), sorted(folder.glob("*.log"))
    for path in segments:
        digest.update(path.read_bytes())
    return {"end_offset": end, "segments": len(segments), "digest": digest.hexdigest()}


def _in_batches(content: bytes) -> Iterator[tuple[bytes, int]]:
    at = 0
    while header := header_of(content, at):
        yield content[at : at + header.size_bytes], header.records
        at += header.size_bytes
