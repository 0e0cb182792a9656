"""A course of one small lab that builds without problems, and that a test can change."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COURSE = """\
course: Small
release: "2026.1"
limits: {wall_s: 60, load_s: 30, case_s: 10, memory_mb: 2500, output_mb: 16, processes: 256}
labs:
  lab01_small:
    title: Small numbers
    minutes: 10
    points: 9
    runs: Python
    tasks:
      double:
        checks: {it_doubles: 2, zero_stays_zero: 1}
      halve:
        checks: {it_halves: 2}
        throughput: {baseline: slow, threshold: 1.5, points: 1}
    written: {why: 3}
"""

SOURCE = '''\
"""Small numbers."""

# %% [markdown]
# # Small numbers
#
# It takes {minutes} minutes and gives {points} points.
#
# {invariants}

# %% role="given" name="setup"
from streamlab import check

# %% task="double" todo="return twice the number, as an integer"
def double(n: int) -> int:
    """Twice `n`."""
    ### BEGIN SOLUTION
    return n + n
    ### END SOLUTION


# %% role="show"
print("double(21) is", double(21))

# %% [markdown]
# You see:
# ```output
# double(21) is 42
# ```

# %% check="double"
check("double")

# %% task="halve" todo="return half"
def halve(n: int) -> float:
    """Half of `n`."""
    ### BEGIN SOLUTION
    return n / 2
    ### END SOLUTION


# %% check="halve"
check("halve")

# %% [markdown] written="why"
# **Why?** Worth {points} points.
'''


class SmallCourse:
    """The course's folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source_path = root / "solutions" / "lab01_small" / "lab01_small.py"
        self.notebook_path = root / "labs" / "lab01_small" / "lab01_small.ipynb"
        self.source_path.parent.mkdir(parents=True)
        self.source_path.write_text(SOURCE, encoding="utf-8")
        (root / "course.yml").write_text(COURSE, encoding="utf-8")
        stage = root / "autograder" / "stages" / "lab01_small"
        stage.mkdir(parents=True)
        (stage / "invariants.yml").write_text("1: Even stays even.\n2: Odd does not.\n", encoding="utf-8")

    def change(self, before: str, after: str) -> None:
        """Replace the first `before` in the source, which must contain it, with `after`."""
        text = self.source_path.read_text(encoding="utf-8")
        assert before in text, before
        self.source_path.write_text(text.replace(before, after, 1), encoding="utf-8")


def files(root: Path) -> dict[str, str]:
    """Return the text of each file below `root`."""
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def assert_no_change_by_ruff(root: Path, lab: str) -> None:
    """Fail if ruff, with the kit's settings, would change a file of the lab; skip where it is not installed."""
    if not shutil.which("ruff"):
        pytest.skip("ruff is one of the developers' packages")
    shutil.copy(ROOT / "pyproject.toml", root)

    for verb in (["check", "--config", 'lint.isort.known-first-party=["autograder"]'], ["format", "--check"]):
        done = subprocess.run(["ruff", *verb, "."], cwd=root, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        assert lab not in done.stdout + done.stderr
