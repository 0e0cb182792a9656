"""What a session on a cluster (`STREAMLAB_MASTER=spark://…`) needs in addition: a master that answers, its share, jars.

`STREAMLAB_KIT_ON_WORKERS=1` says that the cluster's machines have this very kit under the same paths; its executors
then start as fast as a session here does. Keeps out: settings of every session (sessions.py), the cluster (cluster.py).
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
ROOM_LIMIT_S, LOOK_EVERY_S = 10.0, 0.2  # a kernel that ends gives its cores back within a second or two


def workers_have_kit() -> bool:
    """Whether the environment says so."""
    return os.environ.get(KIT_ON_WORKERS) == "1"


def must_answer(
    master: str, advice: str = "start the cluster, or unset STREAMLAB_MASTER to work on this machine"
) -> None:
    """Raise SparkDidNotStart, with the next step, if no master listens: Spark itself would try for a minute.

    Example: must_answer("spark://nowhere:7077") raises "no Spark master answers at spark://nowhere:7077 (…)…"
    """
    if problems := list(_why_silent(master)):
        raise SparkDidNotStart(f"no Spark master answers at {master} ({'; '.join(problems)}): {advice}")


def must_have_room(master: str, cores: int) -> None:
    """Raise SparkDidNotStart if the kit's own cluster has too few free cores: Spark would wait, and say nothing."""
    deadline_s = time.monotonic() + ROOM_LIMIT_S
    while workers_have_kit():
        try:
            found = workers_of(page_of(master))
        except (OSError, ValueError):
            return  # no page, nothing to be known
        if (free := found.cores_free) >= cores:
            return
        if time.monotonic() > deadline_s:
            advice = "shut down a kernel that you no longer use (in JupyterLab: the square on the left)"
            raise SparkDidNotStart(f"a session takes {cores} cores and the cluster has {free} free: {advice}")
        time.sleep(LOOK_EVERY_S)


@contextmanager
def turned_away(master: str) -> Iterator[None]:
    """Say in one line that a cluster accepted no session; Spark itself tries for a minute and says that it stopped."""
    try:
        yield
    except Exception as problem:
        if not master.startswith("spark://"):
            raise
        why = str(problem).strip().partition("\n")[0]
        secret = f"if it has a secret, {cluster_secret.FILE} must name a file with the same one"
        raise SparkDidNotStart(f"{master} accepted no session ({why}); {secret}") from None


def page_of(master: str) -> str:
    """The address of the master's web page: `STREAMLAB_MASTER_PAGE`, else port 8080 of its machine.

    Example: page_of("spark://spark-master:7077") -> "http://spark-master:8080"
    """
    host = urlsplit(f"//{master.removeprefix('spark://').split(',')[0]}").hostname
    return os.environ.get("STREAMLAB_MASTER_PAGE") or f"http://{host}:8080"


def _why_silent(master: str) -> Iterator[str]:
    """Nothing as soon as one of the masters (`spark://one:7077,two:7077`) accepts a connection."""
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
    """The cores of one session, each an executor of its own, so that two lie on two workers and others find room."""
    return {"spark.cores.max": str(cores), "spark.executor.cores": "1"}


def connector(jars: Sequence[str]) -> dict[str, str]:
    """Settings that give executors the connector's jars: from their own disk where they have them, else from here."""
    scheme = "local:" if workers_have_kit() else ""
    return {"spark.jars": ",".join(f"{scheme}{jar}" for jar in jars)} if jars else {}


def quick_executors(tuning: str) -> dict[str, str]:
    """Settings by which executors use the class archive, where they have the kit; {} where they do not."""
    return executor_settings(tuning) if workers_have_kit() else {}
