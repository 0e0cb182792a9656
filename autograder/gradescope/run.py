"""Judges one submission on Gradescope; a program, which `run_autograder` starts as root.

The judge stays root and is the only one that reads solutions and secret. The student's code runs under an account of
its own (`own_account`), since a Gradescope container allows no namespaces.
"""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.classroom.folder import Classroom
from autograder.course import Course
from autograder.gradescope.results import for_gradescope, nothing_to_judge
from autograder.gradescope.submission import side_by_side, student_of
from autograder.judge import judge_files
from autograder.judge.request import Request
from autograder.judge.results import why_not_judged
from autograder.sandbox import SandboxUnavailable, levels
from autograder.sandbox.system_calls import ARCHITECTURES, program

NO_THROUGHPUT = "no-throughput"  # a file in source/
OWN_ACCOUNT = Path(__file__).with_name("own_account.py")


class NotJudged(Exception):
    """The judge itself failed: no results are written, so Gradescope shows an error and no mark."""


def main(folder: Path, lab: str) -> None:
    """Judge the submission in Gradescope's folder (/autograder) and write results/results.json."""
    metadata = json.loads((folder / "submission_metadata.json").read_text(encoding="utf-8"))
    classroom = Classroom.of_this_kit()
    seed = classroom.seed_of(lab, student_of(metadata))
    with tempfile.TemporaryDirectory(prefix="streamlab-submission-") as place:
        notebooks = side_by_side(folder / "submission", classroom.course, classroom.root, Path(place))
        found = _judged(notebooks[lab], classroom, lab, seed) if lab in notebooks else nothing_to_judge(lab)
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (folder / "results").mkdir(exist_ok=True)
    (folder / "results" / "results.json").write_text(text, encoding="utf-8")


def _judged(notebook: Path, classroom: Classroom, lab: str, seed: str) -> dict[str, Any]:
    throughput = not (classroom.root / NO_THROUGHPUT).exists()
    request = Request(classroom.root, classroom.course, lab, seed, throughput, sandbox="process")
    with sandboxes_of_own_accounts(classroom.course):
        try:
            results = judge_files([notebook], request, lambda text: print(text, flush=True))[0]
        except SandboxUnavailable as problem:
            raise NotJudged(str(problem)) from None
    if fault := why_not_judged(results):
        raise NotJudged(fault)
    return for_gradescope(results)


@contextmanager
def sandboxes_of_own_accounts(course: Course) -> Iterator[None]:
    """Let each sandbox of level `process` drop root's rights before it runs anything of a student."""
    with tempfile.NamedTemporaryFile(prefix="streamlab-filter-") as filter_file:
        filter_file.write(program(platform.machine()) if platform.machine() in ARCHITECTURES else b"")
        filter_file.flush()
        drop = [sys.executable, "-I", "-S", str(OWN_ACCOUNT), str(course.limits.processes), filter_file.name]
        with levels.started_through(drop):
            yield


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("lab: run_autograder needs root, to run a student's code under another account")
    try:
        main(Path(sys.argv[1]), sys.argv[2])
    except NotJudged as problem:
        sys.exit(f"lab: not judged: {problem}")
