"""The fast start, which starts Spark in a quarter of the time; `STREAMLAB_FAST_START=0` turns all of it off.

With it, the kit starts Java without spark-submit and with its own options (java_command.py), with fewer jars and an
archive of classes (class_archive.py), and patches Spark's Python workers (workers.py). Without it, Spark starts through
spark-submit, as with its own `SparkSession.builder`, and keeps only two kinds of Java options: the simple compiler and
the serial collector. The results are the same; most work takes several times as long, so everything that waits for
Spark uses `patience`.
"""

import os
from pathlib import Path

SWITCH = "STREAMLAB_FAST_START"
SLOWER = 6  # how many times as long Spark's work may take without it: a batch with a checkpoint takes ten times as long
CONF = Path(__file__).resolve().parent / "conf"


def is_on() -> bool:
    """Return whether the fast start is on, which is the default."""
    return os.environ.get(SWITCH) != "0"


def patience(limit_s: float) -> float:
    """Return how long to wait for work of Spark that takes at most `limit_s` with the fast start."""
    return limit_s if is_on() else SLOWER * limit_s
