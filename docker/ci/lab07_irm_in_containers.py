"""Run Lab 7's HarmonicIO on this machine, with each processing engine in a container of the kit's image; kill one.

Usage: python docker/ci/lab07_irm_in_containers.py IMAGE, on a machine that reaches docker's engine.
"""

import subprocess
import sys

from streamlab.lab07_irm.cell_pictures import cell_picture
from streamlab.lab07_irm.cluster import Setup, play_pictures
from streamlab.lab07_irm.datatypes import Rules
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import Stage, load_cells
from streamlab.notebooks.stages import ROOT

PICTURES, CELLS = 24, 90
LIST = ["docker", "ps", "--all", "--filter", "name=streamlab-engine-", "--format", "{{.Names}}"]


def reference(lab: str) -> Stage:
    """Return a lab's tasks with the reference's solutions."""
    parts = load_cells(lab, reference_cells(ROOT, lab), module_name=f"reference_{lab}")
    assert not parts.errors, parts.errors
    return parts


def main(image: str) -> None:
    """Play pictures, and check that all are measured and no container is left."""
    lab07 = reference("lab07_irm")
    sent = [cell_picture(number, CELLS, 384) for number in range(PICTURES)]
    with lab07.replaced(SlidingSum=reference("lab02_windows").SlidingSum):
        manager = lab07.Manager(Rules(default_size=500, pause_s=1, few=1, many=2))
        setup = Setup(speed=0.35, kill_after=PICTURES // 4, container=image)
        run = play_pictures(lab07.Master(1000), manager, sent, every_s=0.05, setup=setup)
    assert not run.failed, f"given up: {run.failed}"
    assert run.killed is not None, "no engine was killed"
    assert {cells for cells, _ in run.measured} == {CELLS}, "some counts are wrong"
    assert run.master_bytes == run.stored_bytes, f"stored {run.stored_bytes} bytes, the master got {run.master_bytes}"
    left = subprocess.run(LIST, capture_output=True, text=True, check=True).stdout.split()
    assert not left, f"containers were left: {left}"
    print(f"{PICTURES} pictures in {run.makespan_s:.1f} s on {len(run.engines)} engines, each a container;", end=" ")
    print(f"{run.killed} killed, no container left")


main(sys.argv[1])
