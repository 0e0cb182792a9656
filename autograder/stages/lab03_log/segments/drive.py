"""Drive each part of a log alone: test doubles with simpler rules replace the parts that it uses.

`PROBES` holds a small case for each part; the drive of `PartitionLog` runs them, too.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from autograder.stages.lab03_log.log.drive_batches import batch_from, whole_number
from autograder.stages.lab03_log.log.drive_files import (
    append_bytes,
    files_end_at,
    flip_a_bit,
    open_files_in,
    stored_entries,
)
from autograder.stages.lab03_log.segments.drive_doubles import SegmentDouble, listed
from autograder.stages.lab03_log.segments.drive_segment import SegmentScript
from streamlab.lab03_log.wire.batches import at_offset

Recover = Callable[[Path, int], Any]


@drive("recover_segment")
def recover_segment(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return [bytes cut, bytes left, whether these are unchanged, bytes cut by a second call] for each damage."""
    log, base = scratch / f"{case['base_offset']:020}.log", case["base_offset"]
    whole = [batch_from(records) for records in case["batches"]]
    offsets = [base + sum(map(len, case["batches"][:at])) for at in range(len(whole))]
    placed = [at_offset(batch, offset) for batch, offset in zip(whole, offsets, strict=True)]
    return {"recovered": [_recovered(stage.recover_segment, log, base, placed, *each) for each in case["damages"]]}


def _recovered(recover: Recover, log: Path, base: int, placed: list[bytes], how: str, amount: int) -> list[Any]:
    log.unlink(missing_ok=True)
    if how != "no_file":
        log.write_bytes(b"".join(placed))
    if how == "cut":
        log.write_bytes(log.read_bytes()[:-amount])
    elif how == "flip":
        flip_a_bit(log, log.stat().st_size - amount)
    elif how == "tail":
        append_bytes(log, b"\x5a" * amount)
    elif how == "misplaced":  # a whole batch at a wrong offset
        log.write_bytes(b"".join([*placed[:amount], at_offset(placed[amount], base + 1000), *placed[amount + 1 :]]))
    before = log.read_bytes() if log.exists() else b""
    cut = whole_number(recover(log, base))
    left = log.read_bytes()
    return [cut, len(left), before.startswith(left), whole_number(recover(log, base))]


@drive("SparseIndex")
def sparse_index(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return what the index loads from its file, what it stores after all batches were added, what it finds, and how
    many files it leaves open.

    Addition number `full_at` meets a disk without room for an entry, and is then repeated.
    """
    path = scratch / f"{case['base_offset']:020}.index"
    if case["stored_hex"] is not None:
        path.write_bytes(bytes.fromhex(case["stored_hex"]))
    index = stage.SparseIndex(path, case["base_offset"], case["index_bytes"])
    last, raised = plain(index.load(case["log_bytes"])), None
    for number, (offset, position) in enumerate(case["batches"]):
        if case.get("full_at") == number:
            raised = _on_a_full_disk(path, partial(index.add, offset, position))
        if _is_entry(last) and position >= last[1]:
            index.add(offset, position)
    found = [plain(index.find(offset)) for offset in case["asked"]]
    left_open = open_files_in(scratch)  # while the index still exists
    rows = {"last": last, "stored": stored_entries(path), "bytes": path.stat().st_size, "found": found}
    return rows | {"left_open": left_open} | ({"raised": raised} if "full_at" in case else {})


def _is_entry(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)


def _on_a_full_disk(path: Path, add: Callable[[], Any]) -> str:
    try:
        with files_end_at(path.stat().st_size + 3):
            add()
    except OSError:
        return "OSError"
    return "nothing"


@drive("Segment")
def segment(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return the answers to a script, and the calls that the segment made to its index."""
    return SegmentScript(stage.Segment, scratch / f"{case['base_offset']:020}.log", case["base_offset"]).rows(case)


@drive("SegmentList")
def segment_list(stage: Any, case: Any) -> Rows:
    """Return the answers to a script over segments without batches: they have only sizes, offsets and times."""
    doubles = {base: SegmentDouble(base, *more) for base, *more in case["segments"]}

    def open_segment(base: int) -> SegmentDouble:
        return doubles.pop(base, None) or SegmentDouble(base, base)

    return listed(stage.SegmentList, open_segment, case)


def _records(label: str, when_ms: int = 1000) -> list[Any]:
    return [[None, label, when_ms], ["k", label, when_ms + 1000]]


PROBES: dict[str, dict[str, Any]] = {
    "recover_segment": {
        "base_offset": 4,
        "batches": [_records("a"), _records("b"), _records("c")],
        "damages": [["cut", 1], ["flip", 90], ["tail", 7], ["misplaced", 1], ["no_file", 0], ["whole", 0]],
    },
    "SparseIndex": {
        "base_offset": 4,
        "index_bytes": 100,
        "stored_hex": "00000002000000640000000000000000",
        "log_bytes": 300,
        "batches": [[4, 0], [6, 60], [8, 120], [10, 180], [12, 240]],
        "asked": [4, 7, 8, 11, 12, 13],
    },
    "Segment": {
        "base_offset": 4,
        "script": [
            ["append", _records("a", 5000)],
            ["append_broken", "crc", _records("b")],
            ["disk_full", 5, _records("c")],
            ["append", _records("d")],
            ["batches", 7],
            ["reopen_at", 6, len(batch_from(_records("a", 5000)))],
            ["newest"],
        ],
    },
    "SegmentList": {
        "segments": [[0, 2, 100, 1000], [2, 4, 100, 2000], [4, 6, 50, 9000]],
        "segment_bytes": 100,
        "script": [["append", 50, 1], ["append", 1, 1], ["expire", 2500, 1000], ["since", 6]],
    },
}
