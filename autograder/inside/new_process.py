"""Call a learner's function once more in a new process, in which texts have other hashes."""

import json
import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from streamlab.granted_time import LONGEST
from streamlab.kit_program import PYTHON, kit_environment

PROGRAM = (
    "import json, pickle, sys; f, calls = pickle.load(sys.stdin.buffer); print(json.dumps([f(*c) for c in calls]))"
)
LIMIT_S = 50.0
SHOWN_CHARS = 300


def answers_of_new_process(function: Callable[..., Any], calls: Iterable[Iterable[Any]]) -> Any:
    """Return the answers to calls with these arguments, as JSON gives them, or a text: what the process wrote instead.

    Raises `subprocess.TimeoutExpired` after `LIMIT_S`, on a busy machine later.
    """
    from pyspark import cloudpickle

    environment = kit_environment()
    paths = os.pathsep.join([str(Path(cloudpickle.__file__).parents[2]), environment["PYTHONPATH"]])
    process = subprocess.run(
        [*PYTHON, "-c", PROGRAM],
        input=cloudpickle.dumps((function, [tuple(call) for call in calls])),
        capture_output=True,
        env=environment | {"PYTHONHASHSEED": "4711", "PYTHONPATH": paths},
        timeout=LONGEST * LIMIT_S,
        check=False,
    )
    try:
        return json.loads(process.stdout)
    except ValueError:
        return (process.stdout or process.stderr).decode("utf-8", "replace").strip()[-SHOWN_CHARS:]
