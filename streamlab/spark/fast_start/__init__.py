"""What makes Spark start in a quarter of the time, behind one switch: `STREAMLAB_FAST_START=0` turns all of it off.

With it, Java is started without spark-submit and with options of the kit's (java_command.py), with fewer jars and an
archive of classes (class_archive.py), and Spark's Python workers are patched (workers.py). Without it, Spark starts as
its own `SparkSession.builder` starts it, through spark-submit: some seconds later, and every result is the same.
"""

import os
from pathlib import Path

SWITCH = "STREAMLAB_FAST_START"
CONF = Path(__file__).resolve().parent / "conf"


def is_on() -> bool:
    """Whether nobody has turned the fast start off."""
    return os.environ.get(SWITCH) != "0"
