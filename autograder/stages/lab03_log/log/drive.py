"""Run the steps of a script on a learner's log: the answer to each step, and the files in the folder afterwards.

The log is closed while its files are damaged. The rows also hold the answers of the learner's segment to a small case,
so that a message can say that the segment is wrong.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from autograder.inside import DRIVES, drive
from autograder.inside.rows import Rows, type_name
from autograder.stages.lab03_log.log.drive_batches import answered, as_row, batch_from, whole_number
from autograder.stages.lab03_log.log.drive_faults import killed, measured
from autograder.stages.lab03_log.log.drive_files import (
    damage,
    files_end_at,
    files_in,
    is_synced,
    names_are_synced,
    open_files_in,
    stored_entries,
)
from autograder.stages.lab03_log.segments.drive import PROBE

IO = "/proc/thread-self/io"


@drive("PartitionLog")
def partition_log(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return the answers to a script, or the records left after kill -9, with those of the segment."""
    settings = {name: case[name] for name in ("segment_bytes", "index_bytes")}
    try:
        if "kill_after" in case:
            rows = killed(stage.PartitionLog, settings, case["kill_after"], scratch / "killed")
        else:
            by_text = case.get("folder") == "text"
            rows = _scripted(stage, settings, case["script"], scratch / "topics" / "log-0", by_text=by_text)
    except Exception as problem:
        segment = _probed(stage, scratch / "segment")
        if "failed" not in segment:
            raise
        return {"rejected": type(problem).__name__, "text": str(problem)[:300], "segment": segment}
    return rows | {"segment": _probed(stage, scratch / "segment")}


@drive("PartitionLog.throughput")
def partition_log_throughput(stage: Any, case: Any, scratch: Path) -> Rows:
    """Run one turn: append all batches of a file to a new log."""
    folder = scratch / "log"
    return measured(stage.PartitionLog(folder), Path(case["path"]).read_bytes(), folder)


_ANSWERS: WeakKeyDictionary[Any, Rows] = WeakKeyDictionary()


def _probed(stage: Any, scratch: Path) -> Rows:
    """Return the answer of the segment to its probe; each stage is probed once."""
    if stage not in _ANSWERS:
        scratch.mkdir(parents=True)
        try:
            _ANSWERS[stage] = DRIVES["Segment"](stage=stage, case=PROBE, scratch=scratch)
        except Exception as problem:
            _ANSWERS[stage] = {"failed": f"{type(problem).__name__}: {problem}"[:200]}
    return _ANSWERS[stage]


def _scripted(stage: Any, settings: Rows, script: list[list[Any]], folder: Path, *, by_text: bool) -> Rows:
    def open_log(at: Path) -> Any:
        return stage.PartitionLog(str(at) if by_text else at, **settings)

    log = Script(open_log, folder)  # the folder does not exist: the log creates it
    opened = log.opened()
    return opened | {"made": folder.exists()} if "rejected" in opened else {"answers": log.answers(script)}


class Script:
    """One log that plays the steps of a case; it is always opened with the same arguments."""

    def __init__(self, open_log: Callable[..., Any], folder: Path) -> None:
        self._open, self._folder = open_log, folder
        self._log: Any = None
        self._failed = Rows()  # why it could not be opened

    def answers(self, steps: list[list[Any]]) -> list[Rows]:
        """Return the answer to each step; a log that does not open repeats its error until it is damaged again."""
        return [self._answer(*step) for step in steps]

    def _answer(self, name: str, *arguments: Any) -> Rows:
        if self._log is None and name != "damage":
            return self._failed
        answer: Rows = getattr(self, f"_{name}")(*arguments)
        return answer

    def _append(self, records: list[Any]) -> Rows:
        batch = batch_from(records)
        return answered(lambda: {"offset": whole_number(self._log.append(batch, len(records)))})

    def _append_broken(self, records: list[Any]) -> Rows:
        batch = batch_from(records)[:-1]
        return answered(lambda: {"offset": whole_number(self._log.append(batch, len(records)))})

    def _disk_full(self, bytes_left: int, records: list[Any]) -> Rows:
        newest = max(self._folder.glob("*.log"))
        with files_end_at(newest.stat().st_size + bytes_left):
            return self._append(records)

    def _no_room_for_a_segment(self, bytes_left: int, records: list[Any]) -> Rows:
        with files_end_at(bytes_left):
            return self._append(records)

    def _read(self, offset: int, max_bytes: int) -> Rows:
        def read() -> Rows:
            batches = self._log.read(offset, max_bytes)
            if not isinstance(batches, list | tuple):
                return {"returned": type_name(batches)}
            return {"batches": [_row(batch) for batch in batches]}

        before, text_bytes = _read_by_thread()
        rows = answered(read)
        after, _ = _read_by_thread()
        return rows | {"bytes_read": None if before is None or after is None else after - before - text_bytes}

    def _flush(self) -> Rows:
        self._log.flush()
        return {}

    def _reopen(self) -> Rows:
        self._log.flush()
        synced = {"flushed": is_synced(max(self._folder.glob("*.log"))), "named": names_are_synced(self._folder)}
        self._close()
        left_open = open_files_in(self._folder)
        return self.opened() | synced | {"left_open": left_open}

    def _reopen_closed(self) -> Rows:
        self._close()
        return {"saved": is_synced(max(self._folder.glob("*.log")))} | self.opened()

    def _cut_recover(self, amount: int) -> Rows:
        damage(max(self._folder.glob("*.log")), "cut", amount)
        return self._recover()

    def _recover(self) -> Rows:
        return answered(lambda: {"cut": whole_number(self._log.recover())})

    def _retain(self, now_ms: int, retention_ms: int) -> Rows:
        return answered(lambda: {"gone": whole_number(self._log.retain(now_ms, retention_ms))} | self._offsets())

    def _offsets(self) -> Rows:
        return {"start": whole_number(self._log.start_offset), "end": whole_number(self._log.end_offset)}

    def _files(self) -> Rows:
        indexes = {path.name: stored_entries(path) for path in sorted(self._folder.glob("*.index"))}
        return {"files": files_in(self._folder), "index": indexes}

    def _damage(self, segment: int, how: str, amount: int) -> Rows:
        self._close()
        damage(sorted(self._folder.glob("*.log"))[segment], how, amount)
        return self.opened()

    def _close(self) -> None:
        for _ in range(2):  # a second close is valid
            if self._log is not None:
                self._log.close()

    def opened(self) -> Rows:
        """Open the log; if this fails, the next steps have no log."""
        self._log = None

        def opened() -> Rows:
            self._log = self._open(self._folder)
            return self._offsets()

        self._failed = answered(opened)
        return self._failed


def _row(batch: Any) -> Any:
    try:
        return as_row(batch.base_offset, batch.records, batch.data)
    except AttributeError:
        return type_name(batch)


def _read_by_thread() -> tuple[int | None, int]:
    """Return the bytes that this thread has read so far, and the cost of this query in bytes.

    The first is None if the system does not report it.
    """
    try:
        with open(IO, "rb", buffering=0) as file:
            text = file.read(4096)
        return int(text.split(b"rchar:")[1].split()[0]), len(text)
    except (OSError, IndexError, ValueError):
        return None, 0
