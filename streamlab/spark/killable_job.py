"""A job in a separate process, with its own Java if needed, which a notebook or a drive can kill with SIGKILL.

The process is `python -m streamlab.spark.killable_job FOLDER [with-spark]`. It gets the function by value, as Spark's
workers do, and its own session in place of the session that the function uses in this process.
"""

import io
import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

from streamlab.granted_time import own_deadline
from streamlab.kit_program import kit_environment, kit_program

SESSION, CONTEXT = "the session", "the Spark context"
WITH_SPARK = "with-spark"
PATIENCE_S = 90.0
LOOK_S = 0.01


class JobEnded(RuntimeError):
    """The job ended before it was killed; the text is its last error."""


class KillableJob:
    """Runs `job(*arguments)` in another process; `kill()`, or the end of the block, ends it with SIGKILL.

    `folder` must exist, and is for this job only. With `spark`, the process has a session from the beginning, and
    starts and runs a StreamingContext that the job returns. `wait_until(…)` waits for progress that can be observed
    from outside, `pause()` for a moment.

    Example:
        with KillableJob(count, topic, folder=folder) as job:
            job.wait_until(lambda: Path(folder, "computed").exists())
    """

    def __init__(self, job: Callable[..., Any], *arguments: Any, folder: str | Path, spark: bool = True) -> None:
        self._folder = Path(folder)
        (self._folder / "job").write_bytes(by_value((job, arguments)))
        self._process = subprocess.Popen(
            kit_program("streamlab.spark.killable_job", str(self._folder), *([WITH_SPARK] if spark else [])),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kit_environment(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process and its Java with SIGKILL; return when the process is gone."""
        with suppress(OSError, ValueError):
            os.kill(int((self._folder / "java.pid").read_text()), signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def wait_until(self, reached: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Return when `reached()` is true.

        Raises JobEnded if the job ends before that, and TimeoutError after `patience_s`.
        """
        deadline = own_deadline(patience_s)
        while not reached():
            self._must_run()
            if deadline.is_over:
                raise TimeoutError(f"the job did not make the expected progress within {patience_s:g} s")
            time.sleep(LOOK_S)

    def pause(self) -> None:
        """Wait 10 ms. Raises JobEnded if the job has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LOOK_S)
        self._must_run()

    def _must_run(self) -> None:
        if not self.is_alive:
            raise JobEnded(self._last_error())

    def _last_error(self) -> str:
        failure = self._folder / "failure.txt"
        return failure.read_text(encoding="utf-8") if failure.exists() else "the job ended by itself"


def by_value(job: Any) -> bytes:
    """Return functions or other values as bytes for another program, without the session that they use."""
    from pyspark import SparkContext, cloudpickle
    from pyspark.sql import SparkSession

    class WithoutTheSession(cloudpickle.Pickler):  # type: ignore[misc, name-defined]
        def persistent_id(self, value: Any) -> str | None:
            if isinstance(value, SparkSession) or type(value).__name__ == "DeferredSession":  # a sandbox's
                return SESSION
            return CONTEXT if isinstance(value, SparkContext) else None

    file = io.BytesIO()
    WithoutTheSession(file).dump(job)
    return file.getvalue()


def with_session(content: bytes, spark: Callable[[], Any] | None) -> Any:
    """Return what `by_value` took, with this program's session, or None, in place of the other's."""

    class WithTheSession(pickle.Unpickler):
        def persistent_load(self, name: str) -> Any:
            if spark is None:
                return None
            return spark() if name == SESSION else spark().sparkContext

    return WithTheSession(io.BytesIO(content)).load()


@cache
def _session(folder: Path) -> Any:
    from streamlab.spark import jvm, session

    spark = session("job")
    (folder / "java.pid").write_text(str(jvm.start_early().process.pid))
    return spark


def _run(result: Any) -> None:
    """Start a StreamingContext that the job returned, and let it run until it is killed."""
    from pyspark.streaming import StreamingContext

    from streamlab.spark.batches import save_state_often

    if isinstance(result, StreamingContext):
        save_state_often(result)
        result.start()
        result.awaitTermination()


def main(folder: Path, *, spark: bool) -> None:
    """Run the job of `folder` until it ends, fails or is killed."""
    try:
        if spark:
            _session(folder)  # before the job asks for an active session
        job, arguments = with_session((folder / "job").read_bytes(), lambda: _session(folder))
        result = job(*arguments)
        if spark:
            _run(result)
    except BaseException:
        (folder / "failure.txt").write_text(traceback.format_exc(), encoding="utf-8")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main(Path(sys.argv[1]), spark=WITH_SPARK in sys.argv[2:])
