"""Spark's standalone cluster as plain programs: `python -m streamlab.spark.cluster master`, `… worker`.

This process becomes the master, or a worker of the master in `STREAMLAB_MASTER`. Hosts, ports, cores and memory come
from Spark's own variables: https://spark.apache.org/docs/4.0.1/spark-standalone.html#cluster-launch-scripts.
"""

import json
import os
import re
import sys
import urllib.request
from dataclasses import dataclass

from streamlab.java import MissingPrerequisite
from streamlab.java.finder import find_java, java_environment, pyspark_jars
from streamlab.spark import cluster_secret, spark_submit
from streamlab.spark.fast_start.class_archive import class_path, prepared_folder
from streamlab.spark.fast_start.java_command import ALWAYS, archive_option, without_sizes
from streamlab.spark.jvm import ROOT, SparkDidNotStart

HEAP_MB = 192  # of the master or worker process; executors have their own
CLASSES = {"master": "org.apache.spark.deploy.master.Master", "worker": "org.apache.spark.deploy.worker.Worker"}
OPTIONS = (
    "-Dspark.ui.reverseProxy=true",  # the master's page links to all other pages
    "-Dspark.worker.cleanup.enabled=true",  # deletes the files of sessions that are a day old
    "-Dspark.worker.timeout=15",  # s; the master detects a killed worker within this time
)
ANSWER_LIMIT_S = 3.0


@dataclass(frozen=True)
class Workers:
    """The workers and cores that a master reports."""

    alive: int
    cores: int
    cores_used: int

    @property
    def cores_free(self) -> int:
        """Cores that no session holds."""
        return self.cores - self.cores_used


def command(role: str) -> list[str]:
    """Return the command of a master or a worker; raises ValueError for another role, KeyError without a master."""
    if role not in CLASSES:
        raise ValueError(f"expected a role of {', '.join(CLASSES)}, got {role!r}")
    java = find_java()
    prepared = prepared_folder(java)
    java_options = [f"-Xmx{HEAP_MB}m", *without_sizes("short"), *ALWAYS, *archive_option(prepared)]
    own = [*java_options, *OPTIONS, *cluster_secret.java_options(), "-cp", class_path(prepared)]
    return [java.program, *own, CLASSES[role], *([os.environ["STREAMLAB_MASTER"]] if role == "worker" else [])]


def environment() -> dict[str, str]:
    """Return the environment that executors inherit from their worker: a Java, and the folders of Spark and the kit."""
    jars = pyspark_jars()
    scala = next(match[1] for jar in jars if (match := re.match(r"scala-library-(\d+\.\d+)", jar.name)))
    return java_environment() | {
        **spark_submit.environment(),
        **cluster_secret.environment(),
        "SPARK_SCALA_VERSION": scala,  # otherwise a worker looks for it in folders of Spark's own build
        "PYTHONPATH": str(ROOT),
    }


def workers_of(page: str) -> Workers:
    """Ask a master at its page (`http://spark-master:8080`); raises OSError or ValueError if it does not answer."""
    with urllib.request.urlopen(f"{page}/json/", timeout=ANSWER_LIMIT_S) as answer:
        status = json.load(answer)
    return Workers(int(status["aliveworkers"]), int(status["cores"]), int(status["coresused"]))


def main(arguments: list[str]) -> int:
    """Run the role in `arguments`; print an error as one line."""
    try:
        if arguments == ["master"]:
            cluster_secret.make()
        line = command(arguments[0] if len(arguments) == 1 else "")
        os.execve(line[0], line, environment())
    except KeyError:
        example = "for example spark://spark-master:7077"
        print(f"lab: a worker needs its master in STREAMLAB_MASTER, {example}", file=sys.stderr)
    except (ValueError, OSError, SparkDidNotStart, MissingPrerequisite) as problem:
        print(f"lab: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
