"""Drive `Segment` alone: a test double with a simpler rule replaces its index.

`PROBE` is a small case; the drive of `PartitionLog` runs it, too.
"""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows
from autograder.stages.lab03_log.log.drive_batches import batch_from
from autograder.stages.lab03_log.segments.drive_segment import SegmentScript


@drive("Segment")
def segment(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return the answers to a script, and the calls that the segment made to its index."""
    return SegmentScript(stage.Segment, scratch / f"{case['base_offset']:020}.log", case["base_offset"]).rows(case)


def _records(label: str, when_ms: int = 1000) -> list[Any]:
    return [[None, label, when_ms], ["k", label, when_ms + 1000]]


PROBE: dict[str, Any] = {
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
}
