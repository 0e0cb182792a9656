"""What a manager pins with if nothing else is given."""

import os
import subprocess
import sys

import pytest

from streamlab.kit_program import PYTHON
from streamlab.lab05_placement.managers.roles import pin_first_thread


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="affinity exists on Linux only")
def test_a_process_is_limited_to_the_cores() -> None:
    [*_, last] = sorted(os.sched_getaffinity(0))
    with subprocess.Popen([*PYTHON, "-c", "input()"], stdin=subprocess.PIPE) as process:
        pin_first_thread(process.pid, [last])
        cores = os.sched_getaffinity(process.pid)
        process.kill()

    assert cores == {last}


def test_an_instance_without_a_process_needs_no_cores() -> None:
    pin_first_thread(None, [])  # type: ignore[arg-type]
