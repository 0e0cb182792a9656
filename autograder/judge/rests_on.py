"""What a result rests on, in one list: whatever of it changes, results from before are of another kit.

The class's cached results (autograder.classroom.cached_results) and the kits of a cluster's workers
(autograder.grading.parcel) are compared by its digest; the verification of the kit itself rests on more, which
autograder.verify.digest lists. The submission, its seed and its student's earlier notebooks are not in it.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

from autograder.course import Course, load_course
from autograder.course.lab_packages import locks_for_judging

# Paths under the kit's root; {source} stands for the lab and for each lab that it builds on.
RESTS_ON = (
    "autograder/*.py",
    *(f"autograder/{package}/**/*" for package in ("checks", "course", "inside", "intake", "judge", "sandbox")),
    "autograder/stages/*.py",
    "autograder/stages/{source}/**/*",
    "labs/{source}/{source}.ipynb",  # locked cells are put back from here
    "solutions/{source}/{source}.py",  # the fallback
    "streamlab/**/*",
    "datasets/**/*",
    "course.yml",
    "requirements.lock",
)
LEFT_OUT = ("__pycache__", "mutants.py", "alternatives.py", "verified.json", "messages.txt")


@cache
def digest_of_judging(root: Path, lab: str) -> str:
    """A short name for all of the kit that a result of `lab` rests on; another one where any of it was changed.

    Raises CourseError where the kit has no good course.
    """
    return digest_of_files(root, files_of(root, lab))[:16]


def digest_of_files(root: Path, files: Iterable[Path], more: str = "") -> str:
    """The digest of files by their names below `root` and their contents, and of a text beside them."""
    digest = hashlib.sha256(more.encode())
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def files_of(root: Path, lab: str) -> Iterator[Path]:
    """The files of the list, in the order of their names."""
    course = load_course(root)
    labs = [lab, *labs_behind(course, lab)] if lab in course.labs else [lab]
    patterns = {pattern.format(source=source) for pattern in RESTS_ON for source in labs}
    patterns |= set(locks_for_judging(course, lab)) if lab in course.labs else set()
    return files_below(root, patterns, LEFT_OUT)


def files_below(root: Path, patterns: Iterable[str], left_out: Collection[str]) -> Iterator[Path]:
    """The files that the patterns find, in the order of their names, without those under a name that is left out."""
    found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return (path for path in sorted(found) if not set(left_out) & set(path.relative_to(root).parts))


def labs_behind(course: Course, lab: str) -> list[str]:
    """The labs that `lab` builds on, and those that they build on, each once."""
    found: list[str] = []
    to_see = list(course.labs[lab].builds_on)
    while to_see:
        if (name := to_see.pop()) not in found:
            found.append(name)
            to_see += course.labs[name].builds_on
    return sorted(found)
