"""Spark's own connector to Kafka: four jars in addition to pyspark's, which a session has on its class path on request.

The newest connector of the 4.0 line that is complete in the package repository is 4.0.0; it runs in pyspark 4.0.5.
pyspark has its other dependencies. Does not hold the broker's jars; `streamlab.services.kafka` does.
"""

from pathlib import Path

from streamlab.java.jars import JarSet, fetched, folder_of
from streamlab.progress import OnProgress, silent

JARS = JarSet("spark-sql-kafka_2.13-4.0.0", Path(__file__).resolve().parent / "conf" / "connector-jars.sha256")


def fetch(on_progress: OnProgress = silent) -> Path:
    """Return the folder with the connector's jars, and fetch them at first use; raises `FetchFailed`."""
    return fetched(JARS, on_progress)


def class_path() -> list[str]:
    """Return the connector's jars, for the end of Spark's class path; [] if they were never fetched."""
    folder = folder_of(JARS)
    return [] if folder is None else JARS.paths_in(folder)
