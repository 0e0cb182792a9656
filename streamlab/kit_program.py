"""Commands and environments that start a module of the kit as a program, without the modules of the caller's folder.

`python -m` and `python -c` look for modules in the caller's folder first, and so does every program if PYTHONPATH has
an empty entry. That folder is usually a notebook's: there, a student's random.py would replace the standard module.
"""

import os
import sys
from pathlib import Path

KIT = Path(__file__).resolve().parents[1]
PYTHON = (sys.executable, "-P")  # before "-m" or "-c"


def kit_program(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the kit with this Python.

    Example: kit_program("streamlab.spark.cluster", "worker")
    """
    return [*PYTHON, "-m", module, *arguments]


def kit_environment() -> dict[str, str]:
    """Return this process's environment variables, with the kit first on PYTHONPATH and without empty entries."""
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(KIT), *filter(None, others)])}
