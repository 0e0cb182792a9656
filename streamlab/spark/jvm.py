"""Spark's Java process: start it early, connect to it, end it.

`start_early()` returns at once, so that Python can work while Java starts; `connect()` waits for it.
All output of Java and of Spark's Python workers goes to a file (`log_file`). Settings of sessions are in
`streamlab.spark.sessions`.
"""

import atexit
import fcntl
import logging
import os
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from streamlab.granted_time import own_deadline
from streamlab.java.finder import find_java, java_environment
from streamlab.spark import elastic, fast_start, kafka_connector, spark_submit
from streamlab.spark.fast_start.class_archive import OWN_JAR, prepared_folder
from streamlab.spark.fast_start.java_command import COLLECTOR, TUNINGS, driver_command, without_sizes

ROOT = Path(__file__).resolve().parents[2]
CONF = Path(__file__).resolve().parent / "conf"
START_LIMIT_S, END_LIMIT_S = 120.0, 1.0
FOLDER_PREFIX = "streamlab-spark-"
OTHER_SPARKS = ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_SUBMIT_OPTS")
EXECUTORS = "STREAMLAB_EXECUTORS"  # "1": Spark's Java starts executors as processes of this machine
CONNECTORS = "STREAMLAB_CONNECTORS"  # "kafka": Spark's Java has the connector to Kafka, in processes started later, too


class SparkDidNotStart(RuntimeError):
    """Java ended or hung before Spark was ready; the message ends with the last line of its log."""


@dataclass
class Jvm:
    """A Java process for Spark; `folder` holds its log and Spark's temporary files, and is deleted when it ends."""

    process: subprocess.Popen[bytes]
    folder: Path
    alive: IO[bytes]
    has_own_classes: bool
    connector: tuple[str, ...] = ()
    has_executors: bool = False
    gateway: Any = None

    @property
    def log_file(self) -> Path:
        """The file for the output of Java, Spark and the Python workers."""
        return self.folder / "spark.log"

    @property
    def knows_kafka(self) -> bool:
        """Whether Spark's connector to Kafka is on the class path."""
        return bool(self.connector)

    @property
    def is_running(self) -> bool:
        """Whether the process is alive."""
        return self.process.poll() is None

    def address(self) -> tuple[int, str]:
        """Wait until Java listens; return its port on the loopback and the secret that it expects."""
        file = self.folder / "address"
        deadline = own_deadline(START_LIMIT_S)
        while not file.exists():
            if not self.is_running or deadline.is_over:
                raise self._failure()
            time.sleep(0.002)
        raw = file.read_bytes()
        port, length = struct.unpack_from("!ii", raw)
        return port, raw[8 : 8 + length].decode("utf-8")

    @contextmanager
    def end_explained(self) -> Iterator[None]:
        """Raise `SparkDidNotStart` in place of a broken connection if Java has ended: py4j cannot say why it did."""
        from py4j.protocol import Py4JNetworkError

        try:
            yield
        except (OSError, Py4JNetworkError) as error:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(END_LIMIT_S)  # the connection breaks shortly before the process ends
                raise self._failure() from error
            raise

    def stop(self, limit_s: float = 0.0) -> None:
        """End the process and delete its folder; kill it if it does not end by itself within `limit_s` seconds."""
        if self.gateway is not None:
            self.gateway._gateway_client.is_connected = False  # otherwise py4j logs that it cannot free Java objects
        if self.process.stdin and limit_s > 0:
            self.process.stdin.close()  # Spark's gateway ends when its input does
        try:
            self.process.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.alive.close()

    def _failure(self) -> SparkDidNotStart:
        fate = "did not answer" if self.is_running else f"ended with code {self.process.returncode}"
        return SparkDidNotStart(f"Spark's Java process {fate}: {self._last_line()}")

    def _last_line(self) -> str:
        """Return the last line of the log that is no position in a stack trace."""
        lines = self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()
        said = (line.strip() for line in reversed(lines) if not line.startswith(("\tat ", "\t... ")))
        return next(filter(None, said), "it printed nothing")


_started: Jvm | None = None


def start_early(tuned: str | None = None, *, folder: Path | None = None, options: Sequence[str] = ()) -> Jvm:
    """Start Spark's Java process if none runs in this Python, and return without waiting for it.

    `tuned` is "short" (default) or "throughput"; see docs/speed.md. `folder` is a prepared folder to use in
    place of the one found, `options` are more options for Java. Raises `JavaNotFound`, `PysparkNotFound`.
    """
    global _started
    if _started is None or not _started.is_running:
        _started = _start(tuned_as(tuned), folder, options)
    return _started


def tuned_as(tuned: str | None) -> str:
    """Return the name of the tuning: `tuned`, or `STREAMLAB_TUNING`, or "short"."""
    name = tuned or os.environ.get("STREAMLAB_TUNING") or "short"
    if name not in TUNINGS:
        raise ValueError(f"expected a tuning of {', '.join(TUNINGS)}, got {name!r}")
    return name


def connect(jvm: Jvm) -> Any:
    """Return the py4j gateway to a started Java process; wait until it listens."""
    from pyspark import java_gateway

    cache_class_lookups()
    if not any(isinstance(each, RaisedAnyway) for each in logging.root.filters):
        logging.root.addFilter(RaisedAnyway())
    port, secret = jvm.address()
    handshake = {"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": secret}
    os.environ.update(handshake)
    try:
        jvm.gateway = java_gateway.launch_gateway()
        return jvm.gateway
    finally:
        for name in handshake:
            os.environ.pop(name, None)


def cache_class_lookups() -> None:
    """Have py4j look up each Java class only once, if the fast start is on. A second call does nothing."""
    if fast_start.is_on():
        from streamlab.spark.fast_start import class_lookups

        class_lookups.remember()


class RaisedAnyway(logging.Filter):
    """Keeps py4j from logging, through the root logger, errors that it also raises.

    Python objects that are collected after Java has ended try to notify it; a log line on stderr would fail a graded
    cell.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return False for the message that py4j logs if Java does not answer."""
        return record.msg != "Exception while sending command."


def is_local(master: str) -> bool:
    """Return whether Spark runs on this machine: inside one process, or with executors that this process starts."""
    return master == "local" or master.startswith(("local[", "local-cluster["))


def _start(tuning: str, prepared: Path | None, options: Sequence[str]) -> Jvm:
    java, connector = find_java(), _connector()
    folder, alive = _own_folder()
    more, environment = [f"-Djava.io.tmpdir={folder}", *options], _environment(folder)
    if fast_start.is_on():
        prepared = prepared or prepared_folder(java)
        command = driver_command(java, tuning, prepared, connector, more)
    else:
        command = spark_submit.driver_command(connector, [*COLLECTOR, *without_sizes(tuning), *more])
    with open(folder / "spark.log", "wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env=environment,
            process_group=0,  # an interrupt of the notebook is for Python, not for Java
        )
    has_own_classes = bool(prepared and (prepared / OWN_JAR).exists())
    jvm = Jvm(process, folder, alive, has_own_classes, tuple(connector), _starts_executors())
    atexit.register(jvm.stop)
    return jvm


def _connector() -> list[str]:
    """Return the jars of Spark's Kafka connector if the environment asks for them."""
    return kafka_connector.class_path() if os.environ.get(CONNECTORS) == "kafka" else []


def _own_folder() -> tuple[Path, IO[bytes]]:
    """Return a new folder and a lock that marks it as in use; delete folders whose Python was killed."""
    for lock in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*/alive"):
        with suppress(OSError), open(lock, "rb") as stale:
            fcntl.flock(stale, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    alive = open(folder / "new", "wb")  # noqa: SIM115 (it stays open as long as this Python runs)
    fcntl.flock(alive, fcntl.LOCK_EX)
    os.rename(folder / "new", folder / "alive")
    return folder, alive


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in java_environment().items() if name not in OTHER_SPARKS}
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    kept |= {"_PYSPARK_DRIVER_CONN_INFO_PATH": str(folder / "address"), "PYTHONPATH": ":".join(paths)}
    if is_local(os.environ.get("STREAMLAB_MASTER") or "local"):
        kept |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
    if not fast_start.is_on():
        kept |= spark_submit.environment()
    if _starts_executors():
        kept |= elastic.environment(folder)  # last, since executors write to its SPARK_HOME
    return kept


def _starts_executors() -> bool:
    return os.environ.get(EXECUTORS) == "1"
