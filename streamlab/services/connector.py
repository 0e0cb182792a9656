"""Spark's own connector to Kafka: four jars beside those of pyspark, which a session has on its class path if asked.

The newest connector of the 4.0 line that the package repository holds whole is 4.0.0; it runs in pyspark 4.0.5. What
it needs beside these four is in pyspark. Keeps out: the broker's jars (kafka.py), starting Java (streamlab.spark.jvm).
"""

from pathlib import Path

from streamlab.services.base import Told, silent
from streamlab.services.jars import CONF, JarSet, Module, fetched, folder_of, write_manifest

VERSION, SCALA, CLIENTS, POOL = "4.0.0", "2.13", "3.9.0", "2.12.0"
JARS = JarSet(
    name=f"spark-sql-kafka_{SCALA}-{VERSION}",
    modules=(
        Module("org.apache.spark", f"spark-sql-kafka-0-10_{SCALA}", VERSION, with_its_own=False),
        Module("org.apache.spark", f"spark-token-provider-kafka-0-10_{SCALA}", VERSION, with_its_own=False),
        Module("org.apache.kafka", "kafka-clients", CLIENTS, with_its_own=False),
        Module("org.apache.commons", "commons-pool2", POOL, with_its_own=False),
    ),
    manifest=CONF / "connector-jars.sha256",
)


def fetch(told: Told = silent) -> Path:
    """The folder with the connector's jars, fetched at first use; raises `FetchFailed`, `JavaNotFound`."""
    return fetched(JARS, told)


def class_path() -> list[str]:
    """The connector's jars, for the end of Spark's class path; none where they were never fetched."""
    folder = folder_of(JARS)
    return [] if folder is None else [str(folder / name) for name in sorted(JARS.expected)]


if __name__ == "__main__":
    write_manifest(JARS, print)
