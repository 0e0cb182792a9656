"""A recorded day of the system: a header line, and for each second the page's message and the calls of the tasks.

The header has release, seed and plan of the faults. `borders` describes the calls; a learner's tasks get them again.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from streamlab.lab09_system.page.borders import Recorder
from streamlab.lab09_system.page.message import FAULTS, ComparedMessage, Comparison, Message, Source
from streamlab.lab09_system.page.players import Player, in_words
from streamlab.views.system_map import Tasks, name_of

DAY = Path(__file__).resolve().parents[3] / "datasets" / "lab09_system" / "day.jsonl.gz"
BEFORE_S = 5  # playback of a fault begins so long before it
MOST_BYTES = 64 << 20  # unpacked
NOTHING: Mapping[str, Any] = {}
REMARK = "Recorded: a day of the reference system. A button goes to the fault's second."
FED = " Your own tasks get the recorded input."


class BrokenRecording(ValueError):
    """A file that is no recording; the message says why, in one line."""


def record(
    source: Source, recorder: Recorder, path: Path, release: str, seed: str, plan: Mapping[int, str], end_s: int
) -> int:
    """Run `source` for `end_s` seconds with the faults of `plan` ({second: fault}); return the bytes written.

    `recorder` has wrapped the tasks of the source.
    """
    header = {"release": release, "seed": seed, "plan": {str(at_s): fault for at_s, fault in plan.items()}}
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as file:
        for line in chain([header], _seconds(source, recorder, plan, end_s)):
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    return path.stat().st_size


def _seconds(source: Source, recorder: Recorder, plan: Mapping[int, str], end_s: int) -> Iterator[Any]:
    for at_s in range(end_s):
        if at_s in plan:
            source.inject(plan[at_s])
        yield source.step()
        yield recorder.calls
        recorder.calls.clear()


class RecordedSource:
    """Plays a recording, over and over, and gives the learner's tasks, `own`, the recorded calls up to now.

    `own` is {"LAB/TASK": function or class}, `boxes` has the tasks of each part; `plan` is {second: fault}. Raises
    BrokenRecording.
    """

    kind, pace_s = "recorded", 0.25

    def __init__(self, path: Path, own: Mapping[str, Any] = NOTHING, boxes: Tasks = NOTHING) -> None:
        header, self.messages, calls = _read(path)
        self.release, self.plan, self._next = str(header.get("release")), dict(header.get("plan", {})), 0
        self.tasks, self.remark = tuple(own), REMARK + (FED if own else "")
        self._boxes = boxes
        self._players = {task: Player(name_of(task), each, calls) for task, each in own.items()}

    def step(self) -> Message:
        """Return the next message; after the last one, the first."""
        message = self.messages[self._next]
        self._next = (self._next + 1) % len(self.messages)
        for player in self._players.values():
            player.play(self._next or len(self.messages))
        return ComparedMessage(**message, compared=self.comparison()) if self._players else message

    def comparison(self) -> Comparison:
        """Return how the learner's tasks answered what was recorded up to now."""
        found = {task: player.compared() for task, player in self._players.items()}
        boxes = {box: [found[task] for task in tasks if task in found] for box, tasks in self._boxes.items()}
        return {
            "boxes": {box: in_words(each) for box, each in boxes.items() if each},
            "tasks": {name_of(task): in_words([each])[0].removeprefix("yours: ") for task, each in found.items()},
            "differences": [f"{name_of(task)}, {each.difference}" for task, each in found.items() if each.difference],
        }

    def inject(self, fault: str) -> str:
        """Go to the seconds before the fault."""
        at_s = next((int(at_s) for at_s, name in self.plan.items() if name == fault), None)
        if at_s is None:
            return f"{FAULTS[fault]}: not in this recording"
        self._next = max(0, min(at_s - BEFORE_S, len(self.messages) - 1))
        return f"{FAULTS[fault]}: the recording goes on {BEFORE_S} seconds before it, at second {self._next}"

    def end(self) -> None:
        """End the processes of the learner's tasks."""
        for player in self._players.values():
            player.end()


def _read(path: Path) -> tuple[dict[str, Any], list[Message], list[bytes]]:
    """Return the header, the messages, and the lines of calls, which only the players read."""
    try:
        with gzip.open(path, "rb") as file:
            header, *lines = file.read(MOST_BYTES).splitlines()
        about, messages = json.loads(header), [json.loads(line) for line in lines[::2]]
    except (OSError, EOFError, ValueError) as problem:
        raise BrokenRecording(f"cannot read {path}: {problem}; restore it from the kit") from None
    is_whole = messages and len(lines) == 2 * len(messages)
    if not is_whole or not all(isinstance(each, dict) for each in (about, *messages)):
        raise BrokenRecording(f"{path} is no recording of `./lab system record`; restore it from the kit")
    return about, messages, lines[1::2]
