"""Packs one lab for Gradescope: its judge, the references that a fallback needs, the class's secret, and two scripts.

Unlike the student's kit, this archive is the instructor's: it holds solutions. `autograder.gradescope` runs there.
"""

from collections.abc import Iterator
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.course import Course
from autograder.course.lab_packages import locks_for_judging
from autograder.judge.rests_on import files_below, files_of
from autograder.pack.archive import PackRejected, PackSummary, out_of_date, written, zipped
from autograder.pack.contents import Packed

SCRIPTS = "autograder/gradescope/setup.sh", "autograder/gradescope/run_autograder"
LAB_FILE, SECRET = "lab-to-judge", "work/class/secret"
# Paths under the kit's root, beyond those that a result depends on; {source} stands for the lab and for each lab that
# it builds on.
MORE = (
    *("lab", "LICENSE", "NOTICE", "course.yml", "requirements.lock", "requirements-uv.lock"),
    *(f"autograder/{package}/**/*" for package in ("classroom", "cli", "gradescope", "releases", "report")),
    "autograder/stages/{source}/verified.json",
)
CONTAINERS = ((0.5, 768), (1, 1536), (2, 3072), (4, 6144))  # those that Gradescope offers: cores, MB
SPARE_MB = 512  # the judge, and what stays free so that the watchdog acts before the kernel does


def pack_for_gradescope(classroom: Classroom, lab: str, to: Path) -> PackSummary:
    """Write the autograder's zip of one lab to the file `to`, readable by its owner only; raises PackRejected."""
    labs = classroom.course.with_earlier(lab)
    if problems := [each for each in out_of_date(classroom.root) if any(name in each for name in labs)]:
        raise PackRejected(problems)
    files = sorted(_files(classroom, lab), key=lambda file: file.name)
    return written(to, zipped(files, ""), len(files), mode=0o600)


def _files(classroom: Classroom, lab: str) -> Iterator[Packed]:
    root, course = classroom.root, classroom.course
    patterns = {pattern.format(source=source) for pattern in MORE for source in course.with_earlier(lab)}
    more = files_below(root, patterns | set(locks_for_judging(course, lab)), ("__pycache__",))
    for path in {*files_of(root, lab), *more}:
        name = path.relative_to(root).as_posix()
        yield Packed(name, bool(path.stat().st_mode & 0o100), path.read_bytes())
        if name in SCRIPTS:  # Gradescope looks for them at the top
            yield Packed(path.name, True, path.read_bytes())
    yield Packed(LAB_FILE, False, f"{lab}\n".encode())
    yield Packed(SECRET, False, f"{classroom.secret().hex()}\n".encode(), is_private=True)


def container_for(course: Course, lab: str) -> str:
    """Return the smallest of Gradescope's containers in which a lab's limits leave the judge enough memory.

    Example: "2 CPU, 3 GB"
    """
    needed_mb = course.limits_of(lab).memory_mb + SPARE_MB
    cores, memory_mb = next((each for each in CONTAINERS if each[1] >= needed_mb), CONTAINERS[-1])
    return f"{cores:g} CPU, {memory_mb / 1024:g} GB"
