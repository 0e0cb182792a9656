"""The environment variables of a sandboxed runner: an allowlist, the same at every level."""

import os
import sys
from pathlib import Path

from streamlab.java.cache import cache_folder
from streamlab.java.finder import find_java
from streamlab.spark.fast_start import SWITCH

PARTS, VIRTUAL = ("bin", "lib", "lib64", "conf"), "pyvenv.cfg"


def runner_environment(*, kit: str, home: str, tmp: str, tuning: str) -> dict[str, str]:
    """Return the runner's variables, with none of the caller's environment. `tuning` is Spark's (docs/speed.md)."""
    return {
        "PYTHONPATH": kit,
        "HOME": home,
        "TMPDIR": tmp,
        "USER": "student",
        "HADOOP_USER_NAME": "student",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": f"{tmp}/matplotlib",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "localhost",
        "SPARK_LOCAL_DIRS": f"{tmp}/spark",
        "STREAMLAB_TUNING": tuning,
    }


def programs_here() -> dict[str, str]:
    """Return variables that point a local runner to Python, Java and the kit's cache; an image sets its own."""
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "PYSPARK_PYTHON": sys.executable,
        "LAB_JAVA_HOME": find_java().home,
        "STREAMLAB_CACHE": str(cache_folder()),
        SWITCH: os.environ.get(SWITCH, "1"),
    }


def in_environments_container() -> bool:
    """Return whether this process runs in a container of the docker environment, as its image declares."""
    return os.environ.get("STREAMLAB_IN_CONTAINER") == "1"


def folders_to_show() -> list[str]:
    """Return the folders outside the kit that a runner reads: this Python, the Java that was found, the kit's cache."""
    installed = [sys.prefix, sys.base_prefix, os.path.realpath(find_java().home)]
    programs = os.path.dirname(os.path.realpath(sys.executable))
    return [*(part for prefix in installed for part in parts_of(prefix)), programs, str(cache_folder())]


def parts_of(prefix: str) -> list[str]:
    """Return the folders of an installation: the whole prefix, or only programs and libraries if others share it.

    A virtual environment needs only those, too; its other files include some that installers lock.

    Example: parts_of("/usr/local") begins with "/usr/local/bin"
    """
    shared = {"/", "/usr", "/usr/local", "/opt", "/home", os.path.expanduser("~")}
    is_shared = os.path.realpath(prefix) in {os.path.realpath(each) for each in shared}
    if not is_shared and not os.path.exists(os.path.join(prefix, VIRTUAL)):
        return [prefix]
    return [os.path.join(prefix, name) for name in (*PARTS, VIRTUAL)]
