"""A job that can be stopped and restarted: its whole state is in folders, and its progress shows in its output files.

The job reads text files from one folder and, after each batch, writes its totals as `totals-<time in ms>.json` into
another.
"""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from streamlab.granted_time import own_deadline
from streamlab.sources.whole_files import write_whole
from streamlab.spark import fast_start
from streamlab.spark.batches import save_state_often

FIRST_BATCHES = 2  # the first checkpoint is written by the end of the second batch
PATIENCE_S = fast_start.patience(45.0)

Start = Callable[[str, str], Any]  # (checkpoint folder, folder of files) -> a StreamingContext
Pause = Callable[[], None]  # waits a moment; raises what ended the job


class NoContext(TypeError):
    """A job returned something other than a StreamingContext; `returned` holds it."""

    def __init__(self, returned: Any) -> None:
        super().__init__(f"expected a StreamingContext, got {type(returned).__name__}; return the context, not started")
        self.returned = returned


class RestartedJob:
    """Runs `start` repeatedly on the same folders inside `folder`.

    Example:
        job = RestartedJob(recoverable_counts, folder)
        job.run([["to be"]])  -> {"to": 1, "be": 1}
        job.run([["to do"]])  -> {"to": 2, "be": 1, "do": 1}, by a context that did not read the first file
    """

    def __init__(self, start: Start, folder: str | Path) -> None:
        self.start = start
        self.checkpoint, self.incoming = Path(folder, "checkpoint"), Path(folder, "incoming")
        self.totals = Path(f"{self.incoming}-totals")
        self.incoming.mkdir(parents=True, exist_ok=True)
        self._arrived_ms = 0  # the newest file belongs to a batch of this time or later

    def arrive(self, lines: Sequence[str]) -> None:
        """Put a file with these lines into the job's folder, whether the job runs or not."""
        number = sum(1 for _ in self.incoming.iterdir()) + 1
        write_whole(self.incoming / f"{number}.txt", "".join(f"{line}\n" for line in lines))
        self._arrived_ms = time.time_ns() // 1_000_000 + 1

    def run(self, files: Sequence[Sequence[str]] = ()) -> Any:
        """Start the job in this process, play `files`, stop it, and return its newest totals.

        Raises NoContext, or the error that the job failed with.
        """
        context = _context_of(self.start, self.checkpoint, self.incoming)
        try:
            save_state_often(context)
            context.start()
            self.play(files, lambda: _pause(context))
        finally:
            context.stop(stopSparkContext=False, stopGraceFully=False)
        return self.newest_totals()

    def play(self, files: Sequence[Sequence[str]], pause: Pause) -> None:
        """Let files arrive, each after the previous ones were counted; return when all were counted.

        Raises TimeoutError if the totals of the next batch do not come.
        """
        seen = len(self.batches_ms())
        _wait_for(f"{FIRST_BATCHES} files of totals", lambda: len(self.batches_ms()) >= seen + FIRST_BATCHES, pause)
        self._wait_until_counted(pause)
        for lines in files:
            self.arrive(lines)
            self._wait_until_counted(pause)

    def batches_ms(self) -> list[int]:
        """Return the times of the batches whose totals are written, the newest last."""
        times = [path.stem.removeprefix("totals-") for path in self.totals.glob("totals-*.json")]
        return sorted(int(each) for each in times if each.isdecimal())

    def newest_totals(self) -> Any:
        """Return the totals of the newest batch, or None before the first one; raises ValueError for invalid JSON."""
        times_ms = self.batches_ms()
        return json.loads((self.totals / f"totals-{times_ms[-1]}.json").read_text("utf-8")) if times_ms else None

    def _wait_until_counted(self, pause: Pause) -> None:
        """Wait for the totals of a batch that includes all files."""
        _wait_for("totals with the newest file", lambda: self.batches_ms()[-1] >= self._arrived_ms, pause)


def require_context(start: Start, folder: str | Path) -> None:
    """Call `start` once, on folders below `folder`, and stop the context that it returns.

    Raises NoContext, or the error that it failed with: this finds a wrong job without a separate process.
    """
    probe = RestartedJob(start, folder)
    _context_of(start, probe.checkpoint, probe.incoming).stop(stopSparkContext=False, stopGraceFully=False)


def _context_of(start: Start, checkpoint: Path, incoming: Path) -> Any:
    from pyspark.streaming import StreamingContext

    context = start(str(checkpoint), str(incoming))
    if not isinstance(context, StreamingContext):
        raise NoContext(context)
    return context


def _wait_for(what: str, reached: Callable[[], bool], pause: Pause) -> None:
    deadline = own_deadline(PATIENCE_S)
    while not reached():
        if deadline.is_over:
            raise TimeoutError(f"expected {what} within {PATIENCE_S:g} s; they were not written")
        pause()


def _pause(context: Any) -> None:
    context.awaitTerminationOrTimeout(0.01)
