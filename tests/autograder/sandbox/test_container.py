"""Containers as sandboxes: a missing prerequisite is one line, and containers of a killed judge are removed.

test_isolation.py tests what a learner's code can reach inside; tests/autograder/judge/test_throughput.py tests how
throughput checks pause containers.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.judge import judge_files
from autograder.judge.request import Request
from autograder.sandbox import SandboxUnavailable, choose_level, container, engine, open_sandbox
from tests.autograder.conftest import working_level

SILENT = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
ANSWERS = 'case "$1" in info) echo "true true" ;; ps) ;; '


@pytest.fixture
def fake_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["FakeDocker"]:
    """Replace the program `docker` by a script; the engine of this machine is not used."""
    container._why_no_image.cache_clear()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    yield FakeDocker(tmp_path / "docker")
    container._why_no_image.cache_clear()


class FakeDocker:
    """A program `docker` that a test writes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def runs(self, script: str) -> None:
        self.path.write_text(f"#!/bin/sh\n{script}\n")
        self.path.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (f"echo '{SILENT}' >&2; exit 1", "docker's engine does not answer"),
        ("echo 'permission denied while trying to connect' >&2; exit 1", "add yourself to its group"),
        ('[ "$1" = ps ] || echo "false true"', "cannot limit memory"),
        (f"{ANSWERS} *) echo 'No such image' >&2; exit 1 ;; esac", "`docker/lab-docker sandbox` builds it"),
        (f"{ANSWERS} run) echo '1 2' ;; esac", "built from another requirements.lock"),
        (f"{ANSWERS} run) echo 'no such file' >&2; exit 1 ;; esac", "built from another requirements.lock"),
    ],
)
def test_a_missing_prerequisite_of_docker_is_one_line(fake_docker: FakeDocker, script: str, message: str) -> None:
    fake_docker.runs(script)

    with pytest.raises(SandboxUnavailable) as rejected:
        choose_level("container")

    assert message in str(rejected.value)
    assert "\n" not in str(rejected.value)


def test_without_docker_the_error_says_that_it_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxUnavailable, match="docker is not installed"):
        choose_level("container")


@pytest.mark.docker
def test_closing_a_sandbox_removes_its_container(tiny_root: Path, tiny_course: Course) -> None:
    working_level("container")

    sandbox, _ = open_sandbox("container", tiny_root, "lab99_tiny", tiny_course.limits)
    during = _containers_of_this_judge()
    sandbox.close()

    assert len(during) == 1
    assert _containers_of_this_judge() == []


@pytest.mark.docker
def test_a_container_that_does_not_start_is_an_error_of_the_machine(
    tiny_root: Path, tiny_course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    working_level("container")
    monkeypatch.setattr(container, "PROGRAM", ["python", "-c", "raise SystemExit('no such library')"])
    notebook = tiny_root / "lab99_tiny.py"
    notebook.write_text("# %%\ndef double(x):\n    return 2 * x\n")

    with pytest.raises(SandboxUnavailable, match="no sandbox started: no such library"):
        judge_files([notebook], Request(tiny_root, tiny_course, sandbox="container"))


@pytest.mark.docker
def test_the_next_judge_removes_containers_of_a_killed_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    working_level("container")
    with subprocess.Popen(["true"]) as gone:
        label = f"{engine.JUDGE_LABEL}={os.uname().nodename}:{gone.pid}:1.0"
    orphan = engine.docker("create", "--label", label, container.image(), "true")
    others = engine.docker("create", "--label", f"{engine.JUDGE_LABEL}=elsewhere:1:1.0", container.image(), "true")

    try:
        engine.remove_orphans()

        left = engine.docker("ps", "-a", "--no-trunc", "--quiet").split()
        assert orphan not in left
        assert others in left
    finally:
        engine.docker("rm", "-f", others)


@pytest.mark.docker
def test_a_paused_sandbox_uses_no_processor_time(tiny_root: Path, tiny_course: Course) -> None:
    working_level("container")
    sandbox, _ = open_sandbox("container", tiny_root, "lab99_tiny", tiny_course.limits)

    with sandbox:
        sandbox.receive(sandbox.deadline(20.0))  # the sandbox is ready
        sandbox.pause()
        moved = sandbox.moved()
        sandbox.resume()

    assert moved is None


def _containers_of_this_judge() -> list[str]:
    label = f"label={engine.JUDGE_LABEL}={engine.label_of_this_judge()}"
    return engine.docker("ps", "-a", "--quiet", "--filter", label).split()
