"""What travels to a worker to be judged: the notebooks of one submission, and which kit must judge them.

No folder has to be shared: a parcel holds the bytes, and is laid out on the worker in the shape in which it was handed
in (LAB/LAB.ipynb beside EARLIER/EARLIER.ipynb). Keeps out: judging (autograder.grading.cluster_worker).
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course import Course, load_course
from autograder.intake import Rejected, read_once, take_in
from autograder.judge.chain import earlier_notebook
from autograder.judge.rests_on import digest_of_judging, labs_behind


@dataclass(frozen=True)
class Kit:
    """A release, and a digest of all in it that the results for one lab depend on."""

    release: str
    lab: str
    digest: str

    def __str__(self) -> str:
        return f"{self.release} ({self.digest})"


@dataclass(frozen=True)
class Parcel:
    """One submission: lab -> its notebook; earlier lab -> why its own was rejected at its place, and the digest."""

    kit: Kit
    notebooks: dict[str, bytes]
    rejected_earlier: dict[str, tuple[str, str]]
    level: str
    seed: str


def packed(path: Path, kit: Kit, course: Course, root: Path, level: str, seed: str) -> Parcel:
    """The parcel of a notebook that intake has taken, with what it builds on; intake looks at that here, too."""
    notebooks, rejected = {kit.lab: read_once(path)}, {}
    for lab in labs_behind(course, kit.lab):
        if (earlier := earlier_notebook(path, lab)) is None:
            continue
        try:
            take_in(earlier, course, root, lab)
            notebooks[lab] = read_once(earlier)  # the worker's intake looks at these bytes
        except Rejected as problem:
            notebooks[lab], rejected[lab] = b"", (str(problem), problem.digest)
    return Parcel(kit, notebooks, rejected, level, seed)


def laid_out(parcel: Parcel, folder: Path) -> Path:
    """Write all notebooks below `folder`; where the one to be judged is."""
    for lab, content in parcel.notebooks.items():
        (folder / lab).mkdir()
        (folder / lab / f"{lab}.ipynb").write_bytes(content)
    return folder / parcel.kit.lab / f"{parcel.kit.lab}.ipynb"


@cache
def kit_of(root: Path, lab: str) -> Kit:
    """The kit at `root`, as far as it judges `lab`; raises CourseError where it has no good course."""
    digest = hashlib.sha256(digest_of_judging(root, lab).encode())
    for path in sorted((root / "autograder/grading").rglob("*.py")):
        digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return Kit(load_course(root).release, lab, digest.hexdigest()[:12])
