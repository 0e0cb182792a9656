"""A job of the learner's in a process of its own, with a Java of its own, that ends by kill -9.

A drive starts it, lets it come as far as it wants, and leaves the block; then a new start on the same folders shows
what was kept. The process is `python -m autograder.inside.killed FOLDER`. It gets the learner's function by value, as
Spark's workers do, and a session of its own in the place of this one's. Keeps out: what the job is fed with.
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
from pathlib import Path
from typing import Any, Self

KIT = Path(__file__).resolve().parents[2]
SESSION, CONTEXT = "the session", "the Spark context"


class JobFailed(RuntimeError):
    """The job ended by itself; the text is its traceback."""


class JobToKill:
    """Starts the job; the end of the block kills it. `pause` waits a moment, and raises what ended the job."""

    def __init__(self, start: Callable[[str, str], Any], checkpoint: str, incoming: str, folder: Path) -> None:
        self._folder = folder
        (folder / "job").write_bytes(_by_value((start, checkpoint, incoming)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(folder)],
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
            if isinstance(value, SparkSession) or type(value).__name__ == "StandIn":
                return SESSION
            return CONTEXT if isinstance(value, SparkContext) else None

    file = io.BytesIO()
    WithoutTheSession(file).dump(job)
    return file.getvalue()


def _with_session(content: bytes, spark: Any) -> Any:
    class WithTheSession(pickle.Unpickler):
        def persistent_load(self, name: str) -> Any:
            return {SESSION: spark, CONTEXT: spark.sparkContext}[name]

    return WithTheSession(io.BytesIO(content)).load()


def main(folder: Path) -> None:
    """Run the job of `folder` until it fails or is killed."""
    from streamlab.spark import jvm, session
    from streamlab.spark.batches import save_state_often

    try:
        spark = session("job")
        (folder / "java.pid").write_text(str(jvm.start_early().process.pid))
        start, checkpoint, incoming = _with_session((folder / "job").read_bytes(), spark)
        context = start(checkpoint, incoming)
        save_state_often(context)
        context.start()
        context.awaitTermination()
    except BaseException:
        (folder / "failure.txt").write_text(traceback.format_exc(), encoding="utf-8")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
