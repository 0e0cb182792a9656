"""Spark's own connector to Kafka: four jars beside those of pyspark, which a session has on its class path if asked.

The newest connector of the 4.0 line that the package repository holds whole is 4.0.0; it runs in pyspark 4.0.5. What
it needs beside these four is in pyspark. Keeps out: the broker's jars (kafka.py), starting Java (streamlab.spark.jvm).
"""

from pathlib import Path

from streamlab.services.base import Told, silent
from streamlab.services.jars import JarSet, fetched, folder_of

JARS = JarSet("spark-sql-kafka_2.13-4.0.0", Path(__file__).resolve().parent / "conf" / "connector-jars.sha256")


def fetch(told: Told = silent) -> Path:
    """The folder with the connector's jars, fetched at first use; raises `FetchFailed`."""
    return fetched(JARS, told)


def class_path() -> list[str]:
    """The connector's jars, for the end of Spark's class path; none where they were never fetched."""
    folder = folder_of(JARS)
    return [] if folder is None else JARS.paths_in(folder)
