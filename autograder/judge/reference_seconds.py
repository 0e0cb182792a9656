"""The time that the reference needs in a task, which a student's kit has in place of the reference.

`./lab verify` measures it for the slowest case of each task, together with a fixed computation, and the packed kit
carries both. Here, the time is scaled by the time of the same computation on this machine and at this moment.
"""

import hashlib
import json
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from autograder.judge.outcomes import Outcome

FILE, COMPUTATION, SLOWEST = "seconds.json", "computation_s", "slowest_case_s"
REFERENCE = "reference"  # in verified.json
ROUNDS, NUMBERS = 5, 40_000


def measured(slowest_case_s: Mapping[str, float]) -> dict[str, object]:
    """Return the times of the reference's slowest case of each task in the form that `expected` reads."""
    return {
        COMPUTATION: round(computation_s()[0], 5),
        SLOWEST: {task: round(s, 3) for task, s in slowest_case_s.items()},
    }


def computation_s() -> tuple[float, float]:
    """Return the processor time and the real time of a fixed computation, each the median of `ROUNDS`."""
    found = []
    for _ in range(ROUNDS):
        began = time.process_time(), time.monotonic()
        digest = hashlib.sha256()
        for number in range(NUMBERS):
            digest.update(b"%d" % number)
        found.append((time.process_time() - began[0], time.monotonic() - began[1]))
    return median(used for used, _ in found), median(elapsed for _, elapsed in found)


def expected(root: Path, lab: str, task: str) -> Outcome | None:
    """Return the times that the slowest case of the reference would need here and now; None if they are not known."""
    try:
        recorded = json.loads((root / "autograder/stages" / lab / FILE).read_text(encoding="utf-8"))
        seconds, then_s = float(recorded[SLOWEST][task]), float(recorded[COMPUTATION])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    used_s, elapsed_s = computation_s()
    return Outcome("rows", granted_s=seconds * used_s / then_s, seconds=seconds * elapsed_s / then_s)
