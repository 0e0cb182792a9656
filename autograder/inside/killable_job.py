"""A job of the learner's in a process of its own, with a Java of its own if it needs one, that ends by kill -9.

A drive starts it, lets it come as far as it wants, and leaves the block; then a new start on the same folders shows
what was kept. The process is `python -m autograder.inside.killable_job FOLDER [with-spark]`. It gets the learner's
function by value, as Spark's workers do, and a session of its own in the place of this one's.
Keeps out: what the job is fed with.
"""

import io
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

KIT = Path(__file__).resolve().parents[2]
SESSION, CONTEXT = "the session", "the Spark context"
WITH_SPARK = "with-spark"


class JobFailed(RuntimeError):
    """The job ended by itself; the text is its traceback."""


class JobToKill:
    """Starts `job(*arguments)`; the end of the block kills it. `pause` waits a moment, and raises what ended the job.

    With `spark` the job has a session; a StreamingContext that it returns is started. `folder` is for what is needed to
    start and to end it.
    """

    def __init__(self, job: Callable[..., Any], *arguments: Any, folder: Path, spark: bool = True) -> None:
        self._folder = folder
        (folder / "job").write_bytes(_by_value((job, arguments)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(folder), *([WITH_SPARK] if spark else [])],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(KIT), os.environ.get("PYTHONPATH", "")])},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, ValueError):
            os.kill(int((self._folder / "java.pid").read_text()), signal.SIGKILL)
        self.kill()

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process with SIGKILL, and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def pause(self) -> None:
        """Wait 10 ms; raises `JobFailed` if the job has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.01)
            failure = self._folder / "failure.txt"
            raise JobFailed(failure.read_text(encoding="utf-8") if failure.exists() else "the job ended")


def _by_value(job: Any) -> bytes:
    from pyspark import SparkContext, cloudpickle
    from pyspark.sql import SparkSession

    class WithoutTheSession(cloudpickle.Pickler):  # type: ignore[misc, name-defined]
        def persistent_id(self, value: Any) -> str | None:
            if isinstance(value, SparkSession) or type(value).__name__ == "DeferredSession":
                return SESSION
            return CONTEXT if isinstance(value, SparkContext) else None

    file = io.BytesIO()
    WithoutTheSession(file).dump(job)
    return file.getvalue()


def _with_session(content: bytes, spark: Callable[[], Any]) -> Any:
    class WithTheSession(pickle.Unpickler):
        def persistent_load(self, name: str) -> Any:
            return spark() if name == SESSION else spark().sparkContext

    return WithTheSession(io.BytesIO(content)).load()


@cache
def _session(folder: Path) -> Any:
    from streamlab.spark import jvm, session

    spark = session("job")
    (folder / "java.pid").write_text(str(jvm.start_early().process.pid))
    return spark


def _run(came: Any) -> None:
    """A context that was described but not started is started, and runs until it is killed."""
    from pyspark.streaming import StreamingContext

    from streamlab.spark.batches import save_state_often

    if isinstance(came, StreamingContext):
        save_state_often(came)
        came.start()
        came.awaitTermination()


def main(folder: Path, *, spark: bool) -> None:
    """Run the job of `folder` until it ends, fails or is killed."""
    try:
        if spark:
            _session(folder)  # before the job asks for whatever context there is
        job, arguments = _with_session((folder / "job").read_bytes(), lambda: _session(folder))
        _run(job(*arguments))
    except BaseException:
        (folder / "failure.txt").write_text(traceback.format_exc(), encoding="utf-8")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main(Path(sys.argv[1]), spark=WITH_SPARK in sys.argv[2:])
