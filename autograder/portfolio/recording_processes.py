"""Records the tests of a package's modules in a process, and keeps those that pass in another one."""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from autograder.portfolio.recorded_test import RecordedTest, read_tests
from streamlab.kit_program import kit_environment, kit_program
from streamlab.progress import OnProgress

HASH_SEEDS = ("1", "2")  # of the two processes: in the second one, sets of strings have another order


class NotImportable(Exception):
    """The modules cannot be imported or tested; the message is the last line of Python's."""


def recorded_tests(files: Mapping[str, str], on_progress: OnProgress) -> dict[str, list[RecordedTest]]:
    """Return {"LAB/TASK": tests} of the package with these files, {path: text}. Raises NotImportable."""
    with tempfile.TemporaryDirectory(prefix="streamlab-portfolio-") as scratch:
        for name, text in files.items():
            path = Path(scratch, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        tests = Path(scratch, "tests.json")
        for seed in HASH_SEEDS:
            _run(tests, seed, on_progress)
        return read_tests(tests)


def _run(tests: Path, hash_seed: str, on_progress: OnProgress) -> None:
    environment, scratch = kit_environment() | {"PYTHONHASHSEED": hash_seed}, tests.parent
    environment["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], str(scratch)])
    command, last = kit_program("autograder.portfolio.recorded", str(tests)), "no message"
    with subprocess.Popen(
        command, cwd=scratch, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as recording:
        for line in recording.stdout or ():
            last = line.strip() or last
            on_progress(last)
    if recording.returncode != 0:
        raise NotImportable(last)
