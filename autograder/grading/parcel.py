"""Parcels for workers: the notebooks of one submission, and the kit that must judge them.

Workers need no shared folder. A parcel holds the notebooks' bytes, and the worker unpacks it into the layout in which
the student handed them in (LAB/LAB.ipynb next to EARLIER/EARLIER.ipynb).
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course import Course, load_course
from autograder.intake import Rejected, read_once, take_in
from autograder.judge.chain import earlier_notebook
from autograder.judge.rests_on import digest_of_judging


@dataclass(frozen=True)
class Kit:
    """A release, with a digest of everything in it that the results for one lab depend on."""

    release: str
    lab: str
    digest: str

    def __str__(self) -> str:
        return f"{self.release} ({self.digest})"


@dataclass(frozen=True)
class Parcel:
    """One submission, as it travels to a worker.

    `notebooks` maps a lab to the bytes of its notebook. `rejected_earlier` maps an earlier lab whose notebook intake
    rejected to the reason and the notebook's digest.
    """

    kit: Kit
    notebooks: dict[str, bytes]
    rejected_earlier: dict[str, tuple[str, str]]
    level: str
    seed: str


def packed(path: Path, kit: Kit, course: Course, root: Path, level: str, seed: str) -> Parcel:
    """Pack a notebook that intake has accepted, with the student's notebooks of the labs that it builds on.

    The earlier notebooks pass through intake here, too; a rejected one is packed as empty bytes with the reason.
    """
    notebooks, rejected = {kit.lab: read_once(path)}, {}
    for lab in course.with_earlier(kit.lab)[:-1]:
        if (earlier := earlier_notebook(path, lab)) is None:
            continue
        try:
            take_in(earlier, course, root, lab)
            notebooks[lab] = read_once(earlier)  # the worker's intake checks these bytes again
        except Rejected as problem:
            notebooks[lab], rejected[lab] = b"", (str(problem), problem.digest)
    return Parcel(kit, notebooks, rejected, level, seed)


def unpacked(parcel: Parcel, folder: Path) -> Path:
    """Write all notebooks below `folder`, and return the path of the one to judge."""
    for lab, content in parcel.notebooks.items():
        (folder / lab).mkdir()
        (folder / lab / f"{lab}.ipynb").write_bytes(content)
    return folder / parcel.kit.lab / f"{parcel.kit.lab}.ipynb"


@cache
def kit_of(root: Path, lab: str) -> Kit:
    """Return the kit at `root`, as far as it judges `lab`; raises CourseError if its course is invalid."""
    digest = hashlib.sha256(digest_of_judging(root, lab).encode())
    for path in sorted((root / "autograder/grading").rglob("*.py")):
        digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return Kit(load_course(root).release, lab, digest.hexdigest()[:12])
