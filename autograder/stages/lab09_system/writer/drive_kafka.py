"""Two writers and a zombie on a real broker; one of them is killed with SIGKILL inside a transaction."""

import json
import threading
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

from autograder.inside.patience import wait_until
from autograder.inside.rows import Rows, plain
from autograder.inside.servers import own_server
from streamlab.lab09_system import Fenced, LogError
from streamlab.lab09_system.alert_log import AlertLog, make_log, read_committed
from streamlab.sources.whole_files import write_whole
from streamlab.spark.killable_job import JobEnded, KillableJob

PATIENCE_S = 30.0


class StuckLog:
    """A log that says when batch `number` is about to be committed, and then waits until it is killed."""

    def __init__(self, log: AlertLog, number: int, folder: Path) -> None:
        self._log, self._number, self._folder = log, number, folder
        self.begin, self.append = log.begin, log.append

    def commit(self, number: int) -> None:
        """Commit any other batch."""
        if number == self._number:
            write_whole(self._folder / "stuck", "")
            threading.Event().wait()
        self._log.commit(number)


def two_writers(make: Any, case: Any, folder: Path) -> Rows:
    """Return what a killed writer left, the answers of the next one, a zombie's error, and all visible alerts."""
    address, batches = own_server("kafka").address, case["batches"]
    topic = f"alerts-{uuid.uuid4().hex[:8]}"
    make_log(address, topic)
    killed = _killed_inside_batch(make, (address, topic), batches[:3], 2, folder)
    zombies = AlertLog(address, topic)
    zombie = make(zombies, 2)
    with closing(AlertLog(address, topic)) as log:
        writer = make(log, 3)
        last = plain(writer.last)
        answers = [plain(writer.write(number, list(rows))) for number, rows in batches[1:]]
        woken = _error_of(lambda: zombie.write(9, ["of a zombie"]))
    zombies.close()
    alerts = [json.loads(each.value) for each in read_committed(address, topic)]
    return {"killed": killed, "last": last, "answers": answers, "zombie": woken, "alerts": plain(alerts)}


def _killed_inside_batch(make: Any, at: tuple[str, str], batches: list[Any], number: int, folder: Path) -> bool:
    arguments = (make, at, batches, number, folder)
    with KillableJob(_write_until_stuck, *arguments, folder=folder, spark=False) as job:
        try:
            return wait_until((folder / "stuck").exists, PATIENCE_S, job.pause)
        except JobEnded:
            return False


def _write_until_stuck(make: Any, at: tuple[str, str], batches: list[Any], number: int, folder: Path) -> None:
    writer = make(StuckLog(AlertLog(*at), number, folder), 1)
    for each, rows in batches:
        writer.write(each, list(rows))


def _error_of(call: Any) -> str | None:
    try:
        call()
    except (Fenced, LogError) as problem:
        return type(problem).__name__
    return None
