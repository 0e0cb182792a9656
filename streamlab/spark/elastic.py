"""Settings for a session with its own executor processes: a master inside the driver, and executors' environment."""

import re
from pathlib import Path

from streamlab.java.finder import pyspark_jars
from streamlab.spark import spark_submit

EXECUTOR_MB = 350  # what a worker reserves for one executor; its heap plus Spark's overhead are less


def master(workers: int, cores: int) -> str:
    """Return a master that runs `workers` workers of `cores` cores inside the driver's Java.

    Raises ValueError below 1. Example: master(2, 2) -> "local-cluster[2,2,700]"
    """
    if min(workers, cores) < 1:
        raise ValueError(f"an elastic session needs 1 worker of 1 core or more, got {workers} of {cores}")
    return f"local-cluster[{workers},{cores},{cores * EXECUTOR_MB}]"


def environment(folder: Path) -> dict[str, str]:
    """Return the environment that executors inherit from the driver's Java. Their files go to `folder`, not to pyspark.

    A worker creates `work` in SPARK_HOME, so SPARK_HOME is a folder of links to Spark's own files.
    """
    home = folder / "spark"
    home.mkdir()
    for part in spark_submit.spark_home().iterdir():
        if part.name != "work":
            (home / part.name).symlink_to(part)
    scala = next(match[1] for jar in pyspark_jars() if (match := re.match(r"scala-library-(\d+\.\d+)", jar.name)))
    return spark_submit.environment() | {"SPARK_HOME": str(home), "SPARK_SCALA_VERSION": scala}
