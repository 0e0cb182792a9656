"""A stub, a baseline or a part of an experiment that is handed in as the task that it resembles earns no point."""

from typing import Any

import pytest

from autograder.checks.registry import load_stage
from autograder.inside import DRIVES, load_drives
from autograder.stages.lab08_geofencing.events.drive_stubs import FencesByLongitude, MoversByLongitude, has_longitude
from autograder.stages.lab08_geofencing.indexes.drive_exact import eastern_half
from autograder.stages.lab08_geofencing.push.drive_stubs import LongitudesWatch, positions_first, read_line
from autograder.stages.lab08_geofencing.replicas.drive_doubles import EasternIndex
from streamlab.lab08_geofencing.experiments.availability import AlwaysReady
from streamlab.lab08_geofencing.experiments.fences import Scan, Tree
from streamlab.notebooks.labfile import read_lab
from streamlab.notebooks.loader import load_cells
from tests.autograder.stages.driven_reference import STAGES, reference

LAB = "lab08_geofencing"
BASELINE = STAGES / LAB / "baselines" / "scan_of_boxes.py"


def baseline() -> Any:
    return load_cells(LAB, read_lab(BASELINE).cells, module_name="scan_of_boxes").FenceIndex


DOUBLES = [
    ("contains", has_longitude),
    ("contains", eastern_half),
    ("read_record", read_line),
    ("FenceIndex", FencesByLongitude),
    ("FenceIndex", baseline()),
    ("FenceIndex", Scan),
    ("FenceIndex", Tree),
    ("MoverIndex", MoversByLongitude),
    ("MoverIndex", EasternIndex),
    ("Watch", LongitudesWatch),
    ("in_order", positions_first),
    ("Replica", AlwaysReady),
]


@pytest.mark.parametrize(("task", "double"), DOUBLES)
def test_a_double_passes_no_check_of_the_task_that_it_resembles(task: str, double: Any) -> None:
    load_drives(LAB)
    passed = [check.name for check in load_stage(LAB).of_task(task) if passes(check, task, double)]

    assert passed == []


@pytest.mark.parametrize("task", sorted({task for task, _ in DOUBLES}))
def test_the_reference_passes_every_check_that_runs_in_this_process(task: str) -> None:
    load_drives(LAB)
    checks = [check for check in load_stage(LAB).of_task(task) if runs_here(check)]

    assert checks
    assert [check.name for check in checks if not passes(check, task, getattr(reference(LAB), task))] == []


def passes(check: Any, task: str, double: Any) -> bool:
    """Return whether a check passes in this process; the runs of processes on Kafka fail with their first check."""
    return runs_here(check) and all(is_right(check, task, double, case) for case in check.cases("public"))


def runs_here(check: Any) -> bool:
    """Return whether no case of a check needs processes on Kafka."""
    return all("positions" not in case for case in check.cases("public"))


def is_right(check: Any, task: str, double: Any, case: Any) -> bool:
    with reference(LAB).replaced(**{task: double}) as stage:
        try:
            rows = DRIVES[task](stage=stage, case=case)
        except Exception:  # of the double
            return False
    return check.judge(case, rows) is None
