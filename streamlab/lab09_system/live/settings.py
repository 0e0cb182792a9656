"""What the programs of one live system share: a folder with its settings, the tasks, notes, and a checkpoint."""

import json
import time
from pathlib import Path
from typing import Any, NamedTuple, Self

from streamlab.sources.whole_files import write_whole

PER_TERM = 1000  # an epoch is term * PER_TERM + start
# While HOLD_… exists in the folder, a worker or a job waits where it is to be killed, and says so by the other file.
HOLD_WORKER, HELD_WORKER = "hold-worker", "held-worker"
LOST_SESSION = 4  # the code with which a leader ends that ZooKeeper takes for dead
HOLD_JOB, COMPUTED = "hold-job", "computed"


class Settings(NamedTuple):
    """The settings of a live system. The times are for a quiet machine; a busy one needs longer ones."""

    kafka: str
    redis: str
    zookeeper: str
    shards: int = 2
    lateness_s: float = 5.0
    tries: int = 5
    lease_ms: int = 60_000  # must be longer than a start of Spark
    ttl_s: float = 1.0  # of rows in the workers' caches
    session_s: float = 4.0  # how long ZooKeeper waits for a leader that is silent

    def write(self, folder: Path) -> None:
        """Write the settings for programs that start later."""
        write_whole(folder / "settings.json", json.dumps(self._asdict()))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the settings of a folder."""
        return cls(**json.loads((folder / "settings.json").read_text("utf-8")))


def tasks_file(folder: Path) -> Path:
    """Return the file of the learner's tasks."""
    return folder / "tasks"


def note(folder: Path, kind: str, **fields: Any) -> None:
    """Append a note to `kind`.jsonl; several programs may do so at a time."""
    with open(folder / f"{kind}.jsonl", "a", encoding="utf-8") as notes:
        notes.write(json.dumps({"at": time.time(), **fields}) + "\n")


def notes_of(folder: Path, kind: str, **like: Any) -> list[dict[str, Any]]:
    """Return all complete notes with these fields, oldest first."""
    try:
        text = (folder / f"{kind}.jsonl").read_text("utf-8")
    except OSError:
        return []
    notes = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return [each for each in notes if all(each.get(name) == value for name, value in like.items())]
