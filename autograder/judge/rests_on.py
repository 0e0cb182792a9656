"""Lists what a result depends on: the judge, the platform, and everything of its own lab and of those it builds on.

If one of these changes, earlier results are no longer valid. Of course.yml, only the sections of these labs count.

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

# The folders of streamlab that labs share; every other folder there has the name of the one lab that it belongs to.
PLATFORM = ("experiments", "java", "notebooks", "services", "sources", "spark", "views")
# Paths under the kit's root; {source} stands for the lab and for each lab that it builds on.
LIBRARY = (
    "streamlab/*.py",
    *(f"streamlab/{each}/**/*" for each in PLATFORM),
    "streamlab/{source}/**/*",
    "datasets/integrations/*",  # plotted by several labs
    "datasets/{source}/**/*",
)
RESTS_ON = (
    *LIBRARY,
    "autograder/*.py",
    *(f"autograder/{package}/**/*" for package in ("checks", "course", "inside", "intake", "judge", "sandbox")),
    "autograder/stages/*.py",
    "autograder/stages/{source}/**/*",
    "labs/{source}/{source}.ipynb",  # locked cells are put back from here
    "solutions/{source}/{source}.py",  # the fallback
    "requirements.lock",
)
LEFT_OUT = ("__pycache__", "mutants.py", "alternatives.py", "verified.json", "messages.txt")


@cache
def digest_of_judging(root: Path, lab: str) -> str:
    """Return a short digest of all files that a result of `lab` depends on.

    Raises CourseError if the kit has no valid course.
    """
    return digest_of_files(root, files_of(root, lab), _rules(load_course(root), lab))[:16]


def _rules(course: Course, lab: str) -> str:
    """Return what the manifest says about a lab and about those that it builds on; "" for a lab that it lacks."""
    if lab not in course.labs:
        return ""
    sections = [course.labs[each].model_dump_json() for each in course.with_earlier(lab)]
    return "\n".join([*sections, course.limits_of(lab).model_dump_json()])


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
    labs = course.with_earlier(lab) if lab in course.labs else [lab]
    patterns = {pattern.format(source=source) for pattern in RESTS_ON for source in labs}
    patterns |= set(locks_for_judging(course, lab)) if lab in course.labs else set()
    return files_below(root, patterns, LEFT_OUT)


def files_below(root: Path, patterns: Iterable[str], left_out: Collection[str]) -> Iterator[Path]:
    """Return the files that match the patterns, sorted by path, without those with a name of `left_out` in the path."""
    found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return (path for path in sorted(found) if not set(left_out) & set(path.relative_to(root).parts))
