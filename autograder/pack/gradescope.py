"""Packs one lab for Gradescope: its judge, the references that a fallback needs, the class's secret, and two scripts.

Unlike the student's kit, this archive is the instructor's: it holds solutions. `autograder.gradescope` runs there.
"""

from collections.abc import Iterator
from pathlib import Path

from autograder.classroom.folder import Classroom
from autograder.course import Course
from autograder.course.lab_packages import locks_for_judging
from autograder.gradescope.run import NO_THROUGHPUT
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
CONTAINERS = {"0.5 CPU, 0.75 GB": 768, "1 CPU, 1.5 GB": 1536, "2 CPU, 3 GB": 3072, "4 CPU, 6 GB": 6144}  # MB
SPARE_MB = 512  # the judge, and what its watchdog keeps free
MEASURED_MB = {"lab01_wordcount": 750}  # the whole container, without throughput checks


def pack_for_gradescope(classroom: Classroom, lab: str, to: Path, throughput: bool = True) -> PackSummary:
    """Write the autograder's zip of one lab to the file `to`, readable by its owner only; raises PackRejected.

    Without `throughput`, throughput checks are not run: they start Spark twice.
    """
    labs = classroom.course.with_earlier(lab)
    if problems := [each for each in out_of_date(classroom.root) if any(name in each for name in labs)]:
        raise PackRejected(problems)
    more = [] if throughput else [Packed(NO_THROUGHPUT, False, b"")]
    files = sorted([*_files(classroom, lab), *more], key=lambda file: file.name)
    return written(to, zipped(files, ""), len(files), mode=0o600)


def _files(classroom: Classroom, lab: str) -> Iterator[Packed]:
    root, course = classroom.root, classroom.course
    patterns = {pattern.format(source=source) for pattern in MORE for source in course.with_earlier(lab)}
    more = files_below(root, patterns | set(locks_for_judging(course, lab)), ("__pycache__", "small_template"))
    for path in {*files_of(root, lab), *more}:
        name = path.relative_to(root).as_posix()
        yield Packed(name, bool(path.stat().st_mode & 0o100), path.read_bytes())
        if name in SCRIPTS:  # Gradescope looks for them at the top
            yield Packed(path.name, True, path.read_bytes())
    yield Packed(LAB_FILE, False, f"{lab}\n".encode())
    yield Packed(SECRET, False, f"{classroom.secret().hex()}\n".encode(), is_private=True)


def container_for(course: Course, lab: str, throughput: bool = True) -> str:
    """Return the smallest of Gradescope's containers in which a lab runs: by its limits, or as it was measured.

    Example: "2 CPU, 3 GB"
    """
    by_limits_mb = course.limits_of(lab).memory_mb + SPARE_MB
    needed_mb = by_limits_mb if throughput else MEASURED_MB.get(lab, by_limits_mb)
    return next((name for name, memory_mb in CONTAINERS.items() if memory_mb >= needed_mb), [*CONTAINERS][-1])


def judged_points(course: Course, lab: str, throughput: bool = True) -> float:
    """Return the points that the tests of a lab add up to on Gradescope."""
    rules = [task.throughput for task in course.labs[lab].core.values() if task.throughput]
    return round(course.labs[lab].judged_points - (0 if throughput else sum(rule.points for rule in rules)), 2)
