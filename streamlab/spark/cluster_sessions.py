"""Checks and settings for a session on a cluster (`STREAMLAB_MASTER=spark://…`): its master, its cores, its jars.

`STREAMLAB_KIT_ON_WORKERS=1` says that the cluster's machines have the same kit under the same paths; its executors
then start as fast as a local session. Settings of every session are in `sessions`.
"""

import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

from streamlab.spark import cluster_secret
from streamlab.spark.cluster import workers_of
from streamlab.spark.fast_start.java_command import executor_settings
from streamlab.spark.jvm import SparkDidNotStart

KIT_ON_WORKERS = "STREAMLAB_KIT_ON_WORKERS"
DEFAULT_PORT, ANSWER_LIMIT_S = 7077, 3.0
ROOM_LIMIT_S, LOOK_EVERY_S = 10.0, 0.2  # a kernel that ends releases its cores within a second or two


def workers_have_kit() -> bool:
    """Return whether the environment says that the workers have this kit."""
    return os.environ.get(KIT_ON_WORKERS) == "1"


def must_answer(
    master: str, advice: str = "start the cluster, or unset STREAMLAB_MASTER to work on this machine"
) -> None:
    """Raise SparkDidNotStart, with the next step, if no master listens; Spark itself would try for a minute.

    Example: must_answer("spark://nowhere:7077") raises "no Spark master answers at spark://nowhere:7077 (…)…"
    """
    if problems := list(_why_silent(master)):
        raise SparkDidNotStart(f"no Spark master answers at {master} ({'; '.join(problems)}): {advice}")


def must_have_room(master: str, cores: int) -> None:
    """Raise SparkDidNotStart if the kit's own cluster has too few free cores; Spark would wait without a message."""
    deadline_s = time.monotonic() + ROOM_LIMIT_S
    while workers_have_kit():
        try:
            found = workers_of(page_of(master))
        except (OSError, ValueError):
            return  # without the page, the number of free cores is unknown
        if (free := found.cores_free) >= cores:
            return
        if time.monotonic() > deadline_s:
            advice = "shut down a kernel that you no longer use (in JupyterLab: the square on the left)"
            raise SparkDidNotStart(f"a session takes {cores} cores and the cluster has {free} free: {advice}")
        time.sleep(LOOK_EVERY_S)


@contextmanager
def one_line_rejection(master: str) -> Iterator[None]:
    """Raise SparkDidNotStart with one line if a cluster accepts no session; Spark itself reports a stopped context."""
    try:
        yield
    except Exception as problem:
        if not master.startswith("spark://"):
            raise
        why = str(problem).strip().partition("\n")[0]
        secret = f"if it has a secret, {cluster_secret.FILE} must name a file with the same one"
        raise SparkDidNotStart(f"{master} accepted no session ({why}); {secret}") from None


def page_of(master: str) -> str:
    """Return the address of the master's web page: `STREAMLAB_MASTER_PAGE`, or port 8080 of its machine.

    Example: page_of("spark://spark-master:7077") -> "http://spark-master:8080"
    """
    host = urlsplit(f"//{master.removeprefix('spark://').split(',')[0]}").hostname
    return os.environ.get("STREAMLAB_MASTER_PAGE") or f"http://{host}:8080"


def _why_silent(master: str) -> Iterator[str]:
    """Yield a reason for each master (`spark://one:7077,two:7077`), or nothing if one accepts a connection."""
    problems = []
    for address in master.removeprefix("spark://").split(","):
        place = urlsplit(f"//{address}")
        try:
            socket.create_connection((place.hostname, place.port or DEFAULT_PORT), ANSWER_LIMIT_S).close()
            return
        except (OSError, ValueError) as problem:
            problems.append(f"{address}: {getattr(problem, 'strerror', None) or problem}")
    yield from problems


def share(cores: int) -> dict[str, str]:
    """Return the settings for a session's cores: one executor per core, spread over the workers to leave room."""
    return {"spark.cores.max": str(cores), "spark.executor.cores": "1"}


def connector(jars: Sequence[str]) -> dict[str, str]:
    """Return settings that give executors the connector's jars: from their own disk with the kit, or from here."""
    scheme = "local:" if workers_have_kit() else ""
    return {"spark.jars": ",".join(f"{scheme}{jar}" for jar in jars)} if jars else {}


def quick_executors(tuning: str) -> dict[str, str]:
    """Return the settings by which executors with the kit use the class archive; {} without the kit."""
    return executor_settings(tuning) if workers_have_kit() else {}
