"""The time that the reference needs in a task, and the size of its answers, which verification has recorded.

`./lab verify` measures the time for the slowest case of each task, together with a fixed computation. A student's kit
has these figures in place of the reference. Here, the time is scaled by the time of the same computation on this
machine and at this moment.
"""

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from statistics import median

from autograder.judge.outcomes import Outcome

FILE, COMPUTATION, SLOWEST, VALUES = "reference.json", "computation_s", "slowest_case_s", "most_values"
VERIFIED, REFERENCE = "verified.json", "reference"  # the full kit's file and its entry
ROUNDS, NUMBERS = 5, 40_000


def measured(slowest_case_s: Mapping[str, float], most_values: Mapping[str, int]) -> dict[str, object]:
    """Return, for each task, the time of the reference's slowest case and the number of values in its largest answer.

    `expected` and `most_values` read them.
    """
    return {
        COMPUTATION: round(computation_s()[0], 5),
        SLOWEST: {task: round(s, 3) for task, s in slowest_case_s.items()},
        VALUES: dict(most_values),
    }


@cache
def most_values(root: Path, lab: str) -> Mapping[str, int]:
    """Return, for each task, the number of values in the largest answer of the reference; empty if it is not known."""
    folder = root / "autograder/stages" / lab
    for name, read in ((FILE, lambda content: content), (VERIFIED, lambda content: content[REFERENCE])):
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = read(json.loads((folder / name).read_text(encoding="utf-8")))[VALUES]
            return {str(task): int(count) for task, count in found.items()}
    return {}


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
