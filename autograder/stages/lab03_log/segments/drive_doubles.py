"""Run a script on a learner's list of segments, with segment doubles that hold no batches."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab03_log.log.drive_batches import answered, whole_number
from streamlab.lab03_log.wire.batches import CorruptBatch

ERRORS: dict[str, type[Exception]] = {"OSError": OSError, "CorruptBatch": CorruptBatch}


class SegmentDouble:
    """A segment with the attributes that a list uses: sizes, offsets and a time. It accepts any bytes as a batch."""

    def __init__(
        self, base_offset: int, end_offset: int | None = None, size_bytes: int = 0, newest_ms: int = 0
    ) -> None:
        self.log, self.base_offset = Path(f"{base_offset:020}.log"), base_offset
        self.end_offset, self.size_bytes = base_offset if end_offset is None else end_offset, size_bytes
        self._newest_ms = newest_ms
        self.is_open = self.exists = True

    def append(self, batch: bytes, records: int) -> int:
        """Count the batch, or raise the error that its bytes name."""
        if not self.is_open:
            raise ValueError(f"{self.log} is closed")
        if batch.startswith(b"!"):
            raise ERRORS[batch[1:].rstrip(b"\0").decode()]("simulated by this case")
        offset = self.end_offset
        self.size_bytes, self.end_offset = self.size_bytes + len(batch), offset + records
        return offset

    def newest_ms(self) -> int:
        """Return the time that the case gives."""
        return self._newest_ms

    def flush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Reject further appends."""
        self.is_open = False

    def delete(self) -> None:
        """Mark the files as deleted."""
        self.is_open = self.exists = False


def listed(make: Any, open_segment: Callable[[int], SegmentDouble], case: dict[str, Any]) -> Rows:
    """Return the answer to each step, with the segments after it: [base, size, is open]."""
    opened: dict[int, SegmentDouble] = {}

    def open_one(base: int) -> SegmentDouble:
        opened[base] = open_segment(base)
        return opened[base]

    def there() -> list[Any]:
        return [[each.base_offset, each.size_bytes, each.is_open] for each in made.all]

    def gone() -> list[int]:
        return sorted(base for base, each in opened.items() if not each.exists)

    try:
        made = make([base for base, *_ in case["segments"]], open_one, case["segment_bytes"])
    except ValueError as rejection:
        return {"rejected": type(rejection).__name__, "text": str(rejection)[:300]}
    steps: dict[str, Callable[..., Any]] = {
        "append": lambda size, records: {"offset": whole_number(made.append(bytes(size), records))},
        "append_fails": lambda size, error: {
            "offset": whole_number(made.append(b"!" + error.encode().ljust(size - 1, b"\0"), 1))
        },
        "expire": lambda now_ms, retention_ms: {"expired": whole_number(made.expire(now_ms, retention_ms))},
        "since": lambda offset: {"since": _bases(made.since(offset))},
    }
    answers = []
    for name, *arguments in case["script"]:
        rows = answered(partial(steps[name], *arguments))
        answers.append(rows | {"there": plain(there()), "deleted": gone()})
    return {"answers": answers}


def _bases(segments: Any) -> Any:
    return [each.base_offset for each in segments] if isinstance(segments, list | tuple) else type_name(segments)
