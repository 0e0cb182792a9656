"""A recorded day of the system: a header line with release, seed and plan of the faults, then the page's messages."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from streamlab.lab09_system.page.message import FAULTS, Message, Source

DAY = Path(__file__).resolve().parents[3] / "datasets" / "lab09_system" / "day.jsonl.gz"
BEFORE_S = 5  # playback of a fault begins so long before it
MOST_BYTES = 16 << 20  # unpacked
REMARK = "Recorded: a day of the reference system, as this kit has no solutions. A button goes to the fault's second."


class BrokenRecording(ValueError):
    """A file that is no recording; the message says why, in one line."""


def record(source: Source, path: Path, release: str, seed: str, plan: Mapping[int, str], end_s: int) -> int:
    """Run `source` for `end_s` seconds with the faults of `plan` ({second: fault}); return the bytes written."""
    header = {"release": release, "seed": seed, "plan": {str(at_s): fault for at_s, fault in plan.items()}}
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as file:
        for line in (header, *_messages(source, plan, end_s)):
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    return path.stat().st_size


def _messages(source: Source, plan: Mapping[int, str], end_s: int) -> Iterator[Message]:
    for at_s in range(end_s):
        if at_s in plan:
            source.inject(plan[at_s])
        yield source.step()


class RecordedSource:
    """Plays a recording, over and over. Raises BrokenRecording."""

    kind, remark, pace_s = "recorded", REMARK, 0.25
    tasks: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        header, *self._messages = _lines(path)
        if not self._messages or not all("at_s" in each for each in self._messages):
            raise BrokenRecording(f"{path} has no messages; restore it from the kit")
        self.release, self._plan, self._next = str(header.get("release")), dict(header.get("plan", {})), 0

    def step(self) -> Message:
        """Return the next message; after the last one, the first."""
        message: Any = self._messages[self._next]
        self._next = (self._next + 1) % len(self._messages)
        found: Message = message
        return found

    def inject(self, fault: str) -> str:
        """Go to the seconds before the fault."""
        at_s = next((int(at_s) for at_s, name in self._plan.items() if name == fault), None)
        if at_s is None:
            return f"{FAULTS[fault]}: not in this recording"
        self._next = max(0, min(at_s - BEFORE_S, len(self._messages) - 1))
        return f"{FAULTS[fault]}: the recording goes on {BEFORE_S} seconds before it, at second {self._next}"

    def end(self) -> None:
        """Do nothing: a recording starts nothing."""


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        with gzip.open(path, "rb") as file:
            content = file.read(MOST_BYTES)
        lines = [json.loads(line) for line in content.splitlines()]
    except (OSError, EOFError, ValueError) as problem:
        raise BrokenRecording(f"cannot read {path}: {problem}; restore it from the kit") from None
    if not lines or not all(isinstance(line, dict) for line in lines):
        raise BrokenRecording(f"{path} is no recording of `./lab system record`; restore it from the kit")
    return lines
