"""A job of `push` in a process of its own that reads two topics of a broker, and resumes after a kill. (Lab 8)

Its progress is read from its checkpoint: the offsets of the last batch that it committed. A batch that was computed and
not yet committed when the job was killed does not count.
"""

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from streamlab.lab08_geofencing.two_topics import PARTITIONS, Sent, two_topics
from streamlab.sources.topics import ANY_TIME, new_topic, send
from streamlab.spark.killable_job import KillableJob

SHARDS, LATENESS_S, EVERY = 4, 1.0, "2 seconds"  # a batch begins every two seconds, or later if the last one is long


class JobOnKafka:
    """A job that `start()` starts or resumes, and that `kill()`, or the end of the block, ends with SIGKILL.

    push: the learner's task. fences: the records of the topic of fences, which is filled before the job starts.
    `positions` is the name of the topic of positions, and `folder` an empty folder for the job only.
    """

    def __init__(self, push: Callable[..., Any], address: str, fences: Sequence[Sent], folder: Path) -> None:
        self.positions = new_topic(address, PARTITIONS)
        self._push, self._checkpoint, self._folder = push, folder / "checkpoint", folder
        self._topics = address, new_topic(address, 1, ANY_TIME), self.positions
        send(address, self._topics[1], [each[1:] for each in fences])
        self._batch, self._done = -1, 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start a process that runs the job from its last committed batch on; return at once."""
        self._process = KillableJob(_run, self._push, self._topics, str(self._checkpoint), folder=self._folder)

    def kill(self) -> None:
        """Kill the job and its Java with SIGKILL."""
        self._process.kill()

    def pause(self) -> None:
        """Wait 10 ms. Raises JobEnded if the job has ended."""
        self._process.pause()

    def wait_until_done(self, positions: int, patience_s: float) -> None:
        """Return when so many positions are done. Raises JobEnded, and TimeoutError after `patience_s`."""
        self._process.wait_until(lambda: self.done() >= positions, patience_s)

    def done(self) -> int:
        """Return how many positions are in the batches that the job has committed so far."""
        committed = (self._checkpoint / "commits").glob("[0-9]*")
        batch = max((int(each.name) for each in committed), default=-1)
        if batch != self._batch:
            offsets = (self._checkpoint / "offsets" / str(batch)).read_text(encoding="utf-8").splitlines()[-1]
            self._batch, self._done = batch, sum(json.loads(offsets).get(self.positions, {}).values())
        return self._done


def _run(push: Callable[..., Any], topics: tuple[str, str, str], checkpoint: str) -> None:
    from streamlab.spark import session

    events = push(two_topics(session("job"), *topics), SHARDS, LATENESS_S)
    output = events.writeStream.outputMode("append").option("checkpointLocation", checkpoint)
    output.trigger(processingTime=EVERY).foreachBatch(lambda batch, _: batch.count()).start()
    threading.Event().wait()  # until the process is killed
