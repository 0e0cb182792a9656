"""Lists the files of the student's kit; a file that no line of `KEPT` names is left out.

`leaks` checks their contents, `student_readme` writes the README, and `oracles` replaces the oracles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course

# Paths under the kit's root; `**` matches everything below a folder, {lab} stands for each lab of the course.
KEPT = (
    "lab",
    ".devcontainer/devcontainer.json",
    ".dockerignore",
    "LICENSE",
    "LICENSES/*",
    "NOTICE",
    "course.yml",
    "requirements.in",
    "requirements.lock",
    "requirements-uv.lock",
    "requirements-databases*",
    "requirements-hub*",
    "requirements-lab*",
    "labs/{lab}/**",
    "streamlab/**",
    "autograder/__init__.py",
    "autograder/py.typed",
    "autograder/checks/**",
    "autograder/cli/__init__.py",
    "autograder/cli/__main__.py",
    "autograder/cli/dataset.py",
    "autograder/cli/demo.py",
    "autograder/cli/doctor.py",
    "autograder/cli/experiments/*.py",
    "autograder/cli/install.py",
    "autograder/cli/installation.py",
    "autograder/cli/judge.py",
    "autograder/cli/judging.py",
    "autograder/cli/lab_locks.py",
    "autograder/cli/lab09_system.py",
    "autograder/cli/lab09_system_parts.py",
    "autograder/cli/learner.py",
    "autograder/cli/main.py",
    "autograder/cli/notebook_release.py",
    "autograder/cli/own_tasks.py",
    "autograder/cli/play.py",
    "autograder/cli/portfolio.py",
    "autograder/cli/progress_of_learner.py",
    "autograder/cli/services.py",
    "autograder/cli/task_changes.py",
    "autograder/cli/update.py",
    "autograder/cli/watch.py",
    "autograder/cli/context.py",
    "autograder/course/**",
    "autograder/inside/**",
    "autograder/intake/**",
    "autograder/judge/**",
    "autograder/notebook_check/**",
    "autograder/portfolio/*.py",
    "autograder/releases/**",
    "autograder/report/*",  # files only: class_page/ is the instructor's
    "autograder/report/page/**",
    "autograder/sandbox/**",
    "autograder/stages/__init__.py",
    "autograder/stages/{lab}/__init__.py",
    "autograder/stages/{lab}/*.yml",
    "autograder/stages/{lab}/*/__init__.py",
    *(f"autograder/stages/{{lab}}/*/{kind}*.py" for kind in ("drive", "cases", "checks", "comparators", "workload")),
    "autograder/stages/{lab}/baselines/*.py",
    "datasets/**",
    "docker/.env",
    "docker/Dockerfile",
    "docker/README.md",
    "docker/bake.py",
    "docker/compose.yml",
    "docker/hub/jupyter_server_config.py",
    "docker/jupyter/**",
    "docker/lab-docker",
    "docker/open-lab",
    "docs/glossary.md",
    "docs/students.md",
    "docs/system.svg",
)
OPTIONAL = (
    *(f"autograder/stages/{{lab}}/*/{kind}*.py" for kind in ("cases", "comparators", "workload")),
    "autograder/stages/{lab}/baselines/*.py",
    "datasets/**",
)
# An instructor's settings, such as a token, stay here: the kit gets these files as the repository has them.
AS_SHIPPED = {
    "docker/.env": b"""\
# Compose reads this file together with compose.yml. To change a default, remove the # and edit the value.
COMPOSE_PROJECT_NAME=streamlab
# STREAMLAB_PORT=8888
# STREAMLAB_SPARK_PORT=8080
# STREAMLAB_KAFKA_PORT=19092
# STREAMLAB_SYSTEM_PORT=8765
# STREAMLAB_TOKEN=one-that-you-choose
# STREAMLAB_WORK=/home/you/streamlab
# STREAMLAB_WORKER_1_CPUS=0-17
# STREAMLAB_WORKER_2_CPUS=18-35
# STREAMLAB_WORKER_MEMORY=1600m
# STREAMLAB_LAB_MEMORY=4g
# BASE_IMAGE=debian:bookworm-slim
"""
}
# A second safeguard: if a path contains one of these, `KEPT` is wrong.
NEVER = frozenset(
    {
        "solutions",
        "mutants.py",
        "alternatives.py",
        "hostile",
        "verify",
        "builder",
        "record",
        "grading",
        "pack",
        "gradescope",
        "classroom",
        "class_page",
    }
    | {"tests", "benchmarks", "work", "submitted", "gradebook.db", "secret", "nbgrader_config.py", "TEACHING.md"}
)


class NotPackable(Exception):
    """The kit cannot be packed; the message says why, in one line."""


@dataclass(frozen=True)
class Packed:
    """One file of an archive: its path, whether it is executable, its content, and whether only its owner reads it."""

    name: str
    executable: bool
    content: bytes
    is_private: bool = False

    @property
    def mode(self) -> int:
        """The file's permissions."""
        return 0o600 if self.is_private else 0o755 if self.executable else 0o644


def files_to_pack(root: Path, course: Course) -> list[Packed]:
    """Return the files of the student's kit, sorted by name, without its README and the recorded oracles.

    Raises NotPackable for a pattern without a file, a link, and a path that students must never get.
    """
    found = {path: None for pattern in KEPT for path in _found(root, course, pattern)}
    return [_read(root, path) for path in sorted(found, key=lambda path: path.relative_to(root).as_posix())]


def _found(root: Path, course: Course, pattern: str) -> Iterator[Path]:
    for each in [pattern.format(lab=lab) for lab in course.labs] if "{lab}" in pattern else [pattern]:
        glob = f"{each}/*" if each.endswith("**") else each
        paths = [
            path
            for path in root.glob(glob)
            if (_is_kept(path.relative_to(root)) or path == root / each) and (path.is_symlink() or not path.is_dir())
        ]
        if not paths and pattern not in OPTIONAL:
            raise NotPackable(f"{each} is missing, and students need it; `./lab build` writes the generated files")
        yield from paths


def _is_kept(path: Path) -> bool:
    """Return whether a file is not hidden, not bytecode and not an oracle; hidden files must be named in full."""
    if path.name.startswith("oracle") and path.suffix == ".py":
        return False
    return not any(part.startswith(".") or part == "__pycache__" for part in path.parts) and path.suffix != ".pyc"


def _read(root: Path, path: Path) -> Packed:
    name = path.relative_to(root)
    forbidden = sorted(NEVER.intersection(name.parts))
    if forbidden:
        raise NotPackable(f"{name}: {forbidden[0]} is never handed out; fix KEPT in autograder/pack/contents.py")
    links = [each for each in (path, *path.parents) if root in each.parents and each.is_symlink()]
    if links:
        raise NotPackable(f"{links[0].relative_to(root)}: a symbolic link; put the file itself there")
    content = AS_SHIPPED.get(name.as_posix()) or path.read_bytes()
    return Packed(name.as_posix(), bool(path.stat().st_mode & 0o100), content)
