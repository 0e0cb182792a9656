"""Lists the files that a result depends on; if one of them changes, earlier results are no longer valid.

The digest of these files identifies a class's cached results (autograder.classroom.cached_results) and the kits of a
cluster's workers (autograder.grading.parcel). The verification of the kit depends on more files, which
`autograder.verify.digest` lists. The list does not include the submission, its seed or the student's earlier notebooks.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
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
    """Return a short digest of all files that a result of `lab` depends on.

    Raises CourseError if the kit has no valid course.
    """
    return digest_of_files(root, files_of(root, lab))[:16]


def digest_of_files(
    root: Path, files: Iterable[Path], more: str = "", content_of: Callable[[Path], bytes] = Path.read_bytes
) -> str:
    """Return the digest of files, by their paths below `root` and their contents, and of the text `more`."""
    digest = hashlib.sha256(more.encode())
    for path in files:
        content = hashlib.sha256(content_of(path)).hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def files_of(root: Path, lab: str) -> Iterator[Path]:
    """Return the files that a result of `lab` depends on, sorted by path."""
    course = load_course(root)
    labs = [lab, *labs_it_builds_on(course, lab)] if lab in course.labs else [lab]
    patterns = {pattern.format(source=source) for pattern in RESTS_ON for source in labs}
    patterns |= set(locks_for_judging(course, lab)) if lab in course.labs else set()
    return files_below(root, patterns, LEFT_OUT)


def files_below(root: Path, patterns: Iterable[str], left_out: Collection[str]) -> Iterator[Path]:
    """Return the files that match the patterns, sorted by path, without those with a name of `left_out` in the path."""
    found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return (path for path in sorted(found) if not set(left_out) & set(path.relative_to(root).parts))


def labs_it_builds_on(course: Course, lab: str) -> list[str]:
    """Return the labs that `lab` builds on, directly or indirectly, sorted by name."""
    found: list[str] = []
    to_see = list(course.labs[lab].builds_on)
    while to_see:
        if (name := to_see.pop()) not in found:
            found.append(name)
            to_see += course.labs[name].builds_on
    return sorted(found)
