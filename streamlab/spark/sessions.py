"""Spark sessions: quiet, quick to start, on this machine or on a cluster.

`STREAMLAB_MASTER` names a master other than `local[cores]`, `STREAMLAB_UI=1` turns Spark's web page on,
`STREAMLAB_TUNING` is "short" or "throughput" (docs/speed.md), `STREAMLAB_FAST_START=0` turns the fast start off.
"""

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab.spark import cluster_secret, cluster_sessions, fast_start, jvm, kafka_connector
from streamlab.spark.elastic import master as elastic_master
from streamlab.spark.fast_start.java_command import executor_settings

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    from pyspark.streaming import StreamingContext


def session(
    name: str,
    cores: int = 2,
    tuned: str | None = None,
    kafka: bool = False,
    elastic: tuple[int, int] | None = None,
    more: Mapping[str, str] | None = None,
) -> "SparkSession":
    """Return the running Spark session, or a new one called `name` on `cores` cores of this machine or of the cluster.

    Like Spark's own getOrCreate, it returns a running session unchanged. With `kafka` the session can read from Kafka
    and write to it; the connector's jars are fetched once (6 MB). With `elastic` (workers, cores of each) the session
    begins without executors; `Executors` starts and stops them. `more` are additional Spark settings. Raises
    `JavaNotFound`, `SparkDidNotStart`, `FetchFailed`.
    """
    if cores < 1:
        raise ValueError(f"a session needs 1 core or more, got {cores}")
    tuning = jvm.tuned_as(tuned)
    if elastic:
        cores = elastic[0] * elastic[1]
    here = elastic_master(*elastic) if elastic else f"local[{cores}]"
    master = os.environ.get("STREAMLAB_MASTER") or here
    if foreign := _session_made_elsewhere():
        return foreign
    started = _java(tuning, kafka, executors=master == here and elastic is not None)
    from pyspark.sql import SparkSession

    _use(started, master)
    if master.startswith("spark://") and not _context_runs():
        cluster_sessions.must_answer(master)
        cluster_sessions.must_have_room(master, cores)
    chosen = settings(master, tuning, has_own_classes=started.has_own_classes)
    if elastic:
        chosen |= dict(_read(jvm.CONF / "elastic.conf"))
        chosen |= executor_settings(tuning) if jvm.is_local(master) else {}  # executors need the kit's classes, too
    if not jvm.is_local(master):
        chosen |= cluster_sessions.share(cores) | cluster_sessions.connector(started.connector)
        chosen |= cluster_sessions.quick_executors(tuning) | cluster_secret.settings()
    with cluster_sessions.one_line_rejection(master), started.end_explained():
        spark = SparkSession.builder.appName(name).master(master).config(map={**chosen, **(more or {})}).getOrCreate()
    _quieten(spark)
    if jvm.is_local(master):
        spark.sparkContext.pythonExec = sys.executable
    return spark


@contextmanager
def job_on(master: str, name: str, more: Mapping[str, str]) -> "Iterator[SparkContext]":
    """Yield the SparkContext of a standalone job on a cluster whose machines have this same kit.

    `more` are additional settings, including its number of cores. Context and Java end with the block.
    """
    with _environment({"STREAMLAB_MASTER": master, cluster_sessions.KIT_ON_WORKERS: "1"}):
        started = _java("short", kafka=False)
        from pyspark.sql import SparkSession

        _use(started, master)
        chosen = settings(master, "short", started.has_own_classes) | cluster_sessions.quick_executors("short")
        chosen |= cluster_secret.settings()
        with cluster_sessions.one_line_rejection(master):
            spark = SparkSession.builder.appName(name).master(master).config(map={**chosen, **more}).getOrCreate()
        _quieten(spark)
        spark.sparkContext.pythonExec = os.environ.get("PYSPARK_PYTHON") or sys.executable
        try:
            yield spark.sparkContext
        finally:
            with suppress(Exception):  # the cluster may have stopped it already
                spark.stop()
            started.stop(limit_s=5.0)


@contextmanager
def _environment(changed: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _java(tuning: str, kafka: bool, executors: bool = False) -> jvm.Jvm:
    if kafka:
        kafka_connector.fetch()
        os.environ[jvm.CONNECTORS] = "kafka"
    if executors:
        os.environ[jvm.EXECUTORS] = "1"
    started = jvm.start_early(tuning)
    if kafka and not started.knows_kafka:
        raise jvm.SparkDidNotStart("Spark runs already, without its connector to Kafka: restart the kernel")
    if executors and not started.has_executors:
        raise jvm.SparkDidNotStart("Spark runs already, and starts no executors: restart the kernel")
    return started


def settings(master: str, tuning: str, has_own_classes: bool = False) -> dict[str, str]:
    """Return Spark's settings for a master and a tuning, from the `conf` folders here and in `fast_start`."""
    place = ["local"] if jvm.is_local(master) else ["with_kit"] if cluster_sessions.workers_have_kit() else []
    files = [jvm.CONF / f"{name}.conf" for name in ("spark", *place, tuning)]
    if place and fast_start.is_on():
        files += [fast_start.CONF / f"{name}.conf" for name in ("fast_start", *(["own_classes"] * has_own_classes))]
    chosen = {key: value for file in files for key, value in _read(file)}
    return chosen | {"spark.ui.enabled": "true" if os.environ.get("STREAMLAB_UI") == "1" else "false"}


@contextmanager
def streaming(spark: "SparkSession", batch_s: float) -> "Iterator[StreamingContext]":
    """Yield a StreamingContext with batches of `batch_s` seconds, and stop it when the block ends for any reason.

    A context that an earlier cell left running is stopped first. The session keeps running.
    Example: with streaming(spark, 1.0) as context: ...
    """
    if batch_s < 0.001:
        raise ValueError(f"a batch lasts 0.001 s or more, got {batch_s}")
    from pyspark.streaming import StreamingContext

    stop_streaming(spark)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # Spark recommends Structured Streaming instead
        context = StreamingContext(spark.sparkContext, batch_s)  # type: ignore[arg-type]
    try:
        yield context
    finally:
        _stop(context)


def stop_streaming(spark: "SparkSession") -> None:
    """Stop the running StreamingContext, if any; the session keeps running."""
    from pyspark.streaming import StreamingContext

    if StreamingContext._activeContext is None:
        return
    with suppress(Exception):  # if its session was stopped, the context is stopped already
        StreamingContext._activeContext.stop(stopSparkContext=False, stopGraceFully=False)
    StreamingContext._activeContext = None


def _stop(context: "StreamingContext") -> None:
    with suppress(Exception):
        context.stop(stopSparkContext=False, stopGraceFully=False)


def end_session(limit_s: float = 5.0) -> None:
    """End the session and its Java process, if any; the next `session()` starts new ones."""
    if "pyspark" not in sys.modules:
        return
    from pyspark import SparkContext

    if (java := _jvm_of(SparkContext._gateway)) is None:
        return
    if SparkContext._active_spark_context is not None:
        with suppress(Exception):  # Java may be gone
            SparkContext._active_spark_context.stop()
    java.stop(limit_s)


def has_ended() -> bool:
    """Return whether this process had a session whose Java process has ended, for example killed or out of memory."""
    if "pyspark" not in sys.modules:
        return False
    from pyspark import SparkContext

    java = _jvm_of(SparkContext._gateway)
    return java is not None and not java.is_running


def _session_made_elsewhere() -> "SparkSession | None":
    """Return the session of a notebook that called Spark's own builder first: only one Java process can exist."""
    if "pyspark" not in sys.modules:
        return None
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway: Any = SparkContext._gateway
    if gateway is None or _jvm_of(gateway):
        return None
    return SparkSession.builder.getOrCreate()


def _use(started: jvm.Jvm, master: str) -> None:
    """Make pyspark use this Java process, and forget a previous one that has ended."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway: Any = SparkContext._gateway
    before = _jvm_of(gateway)
    if before is started:
        return
    if before:
        before.stop()
    gateway = jvm.connect(started)
    gateway.streamlab_jvm = started
    if jvm.is_local(master):
        _log_in(gateway)
    SparkContext._gateway, SparkContext._jvm = gateway, gateway.jvm
    SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None


def _context_runs() -> bool:
    from pyspark import SparkContext

    return SparkContext._active_spark_context is not None


def _jvm_of(gateway: Any) -> jvm.Jvm | None:
    """Return our Java process of a gateway, or None; `vars` is used since py4j answers getattr() for any name."""
    return None if gateway is None else vars(gateway).get("streamlab_jvm")


def _log_in(gateway: Any) -> None:
    """Set Hadoop's user; otherwise Hadoop asks the system, and fails for a user id without a name, as in a sandbox."""
    users = getattr(gateway.jvm, "org.apache.hadoop.security.UserGroupInformation")
    users.setLoginUser(users.createRemoteUser(os.environ.get("USER") or "learner"))


def _quieten(spark: "SparkSession") -> None:
    """Keep pyspark from logging Java's end, and the errors that queries raise anyway, as 11 KB of JSON."""
    from pyspark.logger import PySparkLogger

    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(name).disabled = True
    server: Any = spark.sparkContext._accumulatorServer
    server.handle_error = lambda *_: None  # Java's end closes the socket of Spark's accumulators


def _read(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            key, value = line.split(None, 1)
            yield key, value.strip()
