"""How far a streaming query has come, by its checkpoint, which survives the process that runs it."""

import json
from contextlib import suppress
from pathlib import Path


def offsets_done(checkpoint: Path) -> dict[tuple[str, int], int]:
    """Return how many records of each (topic, partition) the complete batches have read; empty before the first one."""
    lines = _newest(checkpoint)
    topics = json.loads(lines[-1]) if lines else {}
    return {(topic, int(number)): count for topic, each in topics.items() for number, count in each.items()}


def watermark_done_ms(checkpoint: Path) -> int:
    """Return the watermark of the newest complete batch; 0 before the first one."""
    lines = _newest(checkpoint)
    return int(json.loads(lines[1])["batchWatermarkMs"]) if lines else 0


def _newest(checkpoint: Path) -> list[str]:
    """Return the plan of the newest complete batch: a version, settings with the watermark, and offsets."""
    complete = [int(path.name) for path in (checkpoint / "commits").glob("*") if path.name.isdecimal()]
    if not complete:
        return []
    with suppress(OSError):
        lines = (checkpoint / "offsets" / str(max(complete))).read_text("utf-8").splitlines()
        return lines if len(lines) >= 3 else []
    return []
