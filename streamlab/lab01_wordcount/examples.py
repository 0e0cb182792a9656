"""Runs the streaming examples that ship inside pyspark as their users do: with spark-submit, in a separate process.

Spark's authors wrote them, so their output is an independent answer. Spark's log goes to a file, never to stderr.
"""

import ast
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from streamlab.granted_time import own_deadline
from streamlab.java.finder import java_environment
from streamlab.spark import spark_submit
from streamlab.spark.spark_submit import spark_home

END_TIMEOUT_S = 10.0
POLL_EVERY_S = 0.5  # interval of the check whether the example has ended by itself


class ExampleEnded(RuntimeError):
    """The example ended before it had printed the expected output; the message has its last line."""


def run_example(
    name: str,
    *arguments: str | int,
    until: Callable[[str], bool],
    timeout_s: float = 120.0,
    cores: int = 2,
) -> str:
    """Run an example until its output satisfies `until`, end it, and return its output.

    It runs in an empty folder. Raises ValueError for an unknown name, ExampleEnded, TimeoutError; none of them
    leaves a process running.

    Example:
        with LineServer(["to be or not to be"]) as server:
            printed = run_example(
                "network_wordcount", server.host, server.port, until=lambda text: printed_counts(text).total() >= 6
            )
        printed_counts(printed)["be"] -> 2
    """
    with tempfile.TemporaryDirectory(prefix="streamlab-example-") as folder:
        path, log = _path_of(name), Path(folder) / "spark.log"
        with _spark_submit([str(path), *map(str, arguments)], cores, log) as process:
            printed = _Printed(process)
            deadline = own_deadline(timeout_s)
            while not printed.satisfies(until):
                if process.poll() is not None and printed.is_complete():
                    last_words = _last_line(printed.text) or _last_line(log.read_text("utf-8", "replace"))
                    raise ExampleEnded(f"{name} ended with code {process.returncode}: {last_words}")
                if deadline.is_over:
                    raise TimeoutError(f"{name} had not printed enough within {timeout_s:g} s; {printed.tail()}")
            return printed.text


def example_names() -> list[str]:
    """Return the names of the streaming examples that this pyspark ships."""
    return sorted(path.stem for path in _folder().glob("*.py") if path.stem != "__init__")


def printed_counts(text: str) -> Counter[str]:
    """Return the sum over all batches of the `('word', 3)` lines that `pprint` printed, without a partial last line.

    Raises ValueError if a batch was cut: pprint shows ten pairs of a batch, then `...`.
    Example: printed_counts("('a', 1)\\n\\n('a', 2)\\n") -> Counter({"a": 3})
    """
    counts: Counter[str] = Counter()
    for line in text[: text.rfind("\n") + 1].splitlines():
        if line == "...":
            raise ValueError("a batch was cut after ten pairs; play lines with at most ten different words")
        if line.startswith("("):
            word, count = ast.literal_eval(line)
            counts[word] += count
    return counts


class _Printed:
    """The output of a process so far; a thread reads it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.text = ""
        self._process = process
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def satisfies(self, until: Callable[[str], bool]) -> bool:
        """Return whether `until` accepts the output; wait up to `POLL_EVERY_S` for more output."""
        with self._changed:
            return self._changed.wait_for(lambda: until(self.text), POLL_EVERY_S)

    def is_complete(self) -> bool:
        """Return whether the output has ended."""
        return not self._reader.is_alive()

    def tail(self) -> str:
        """Return the end of the output, for a message."""
        return f"it ends: {self.text[-200:]!r}" if self.text else "it printed nothing"

    def _read(self) -> None:
        for line in self._process.stdout or ():
            with self._changed:
                self.text += line
                self._changed.notify_all()


@contextmanager
def _spark_submit(arguments: list[str], cores: int, log: Path) -> Iterator[subprocess.Popen[str]]:
    quick = ["--driver-java-options", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"]  # the jobs are short
    options = ["--master", f"local[{cores}]", "--conf", "spark.ui.enabled=false", *quick]
    own_folder = log.parent / "empty"
    own_folder.mkdir(exist_ok=True)
    with open(log, "wb") as log_file:
        process = subprocess.Popen(
            [str(spark_home() / "bin" / "spark-submit"), *options, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log_file,
            encoding="utf-8",
            env=_environment(log.parent),
            cwd=own_folder,
            process_group=0,
        )
    try:
        yield process
    finally:
        _end(process)


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in java_environment().items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    return kept | {
        **spark_submit.environment(),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONWARNINGS": "ignore",  # spark-submit mixes Python's stderr into its stdout
    }


def _end(process: subprocess.Popen[str]) -> None:
    """End Java, the example and Spark's workers: the whole process group, in any state."""
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal_number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_TIMEOUT_S)
    if process.stdout:
        process.stdout.close()


def _path_of(name: str) -> Path:
    if name not in example_names():
        raise ValueError(f"no example {name!r}; there are {', '.join(example_names())}")
    return _folder() / f"{name}.py"


def _folder() -> Path:
    return spark_home() / "examples" / "src" / "main" / "python" / "streaming"


def _last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2].strip()
