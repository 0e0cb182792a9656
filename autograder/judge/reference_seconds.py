"""The seconds that the reference needs for each public case, which a student's kit has in place of the reference.

`autograder.pack` records them together with the time of a calibration; here, both are scaled by today's calibration.
"""

import hashlib
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

from autograder.judge.outcomes import Outcome

FILE = "seconds.json"
ROUNDS, NUMBERS = 5, 40_000


def case_key(case: dict[str, Any]) -> str:
    """Return a short name for a case."""
    text = json.dumps(case, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def calibrated_s() -> tuple[float, float]:
    """Return the processor time and the real time of a fixed computation, each the median of `ROUNDS`."""
    found = []
    for _ in range(ROUNDS):
        began = time.process_time(), time.monotonic()
        digest = hashlib.sha256()
        for number in range(NUMBERS):
            digest.update(b"%d" % number)
        found.append((time.process_time() - began[0], time.monotonic() - began[1]))
    return median(used for used, _ in found), median(elapsed for _, elapsed in found)


def expected_s(root: Path, lab: str, task: str, case: dict[str, Any]) -> Outcome | None:
    """Return the times that the reference would need here and now; None if they were not recorded."""
    try:
        recorded = json.loads((root / "autograder/stages" / lab / FILE).read_text(encoding="utf-8"))
        seconds, then_s = float(recorded["cases"][task][case_key(case)]), float(recorded["calibration_s"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    used_s, elapsed_s = calibrated_s()
    return Outcome("rows", granted_s=seconds * used_s / then_s, seconds=seconds * elapsed_s / then_s)
