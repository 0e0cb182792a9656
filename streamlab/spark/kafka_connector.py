"""Spark's own connector to Kafka: four jars beside those of pyspark, which a session has on its class path if asked.

The newest connector of the 4.0 line that the package repository holds whole is 4.0.0; it runs in pyspark 4.0.5. What
it needs beside these four is in pyspark. The broker's jars are others (streamlab.services.kafka).
"""

from pathlib import Path

from streamlab.java.jars import JarSet, fetched, folder_of
from streamlab.progress import OnProgress, silent

JARS = JarSet("spark-sql-kafka_2.13-4.0.0", Path(__file__).resolve().parent / "conf" / "connector-jars.sha256")


def fetch(on_progress: OnProgress = silent) -> Path:
    """The folder with the connector's jars, fetched at first use; raises `FetchFailed`."""
    return fetched(JARS, on_progress)


def class_path() -> list[str]:
    """The connector's jars, for the end of Spark's class path; none where they were never fetched."""
    folder = folder_of(JARS)
    return [] if folder is None else JARS.paths_in(folder)
