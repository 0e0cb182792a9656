"""Containers as sandboxes: what is missing is one line, and nothing is left of one that its judge did not close.

What a learner's code finds inside is in test_walls.py, how throughput checks pause in
tests/autograder/judge/test_racing.py.
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
from tests.autograder.conftest import that_works

SILENT = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
ANSWERS = 'case "$1" in info) echo "true true" ;; ps) ;; '


@pytest.fixture
def docker_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["DockerThat"]:
    """Makes a program `docker` that behaves as its script says; the engine of this machine is not asked."""
    container._why_no_image.cache_clear()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    yield DockerThat(tmp_path / "docker")
    container._why_no_image.cache_clear()


class DockerThat:
    """Writes the program."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def runs(self, script: str) -> None:
        self.path.write_text(f"#!/bin/sh\n{script}\n")
        self.path.chmod(0o755)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (f"echo '{SILENT}' >&2; exit 1", "docker's engine does not answer"),
        ("echo 'permission denied while trying to connect' >&2; exit 1", "add yourself to its group"),
        ('[ "$1" = ps ] || echo "false true"', "cannot limit memory"),
        (f"{ANSWERS} *) echo 'No such image' >&2; exit 1 ;; esac", "`docker/lab-docker sandbox` builds it"),
        (f"{ANSWERS} run) echo '1 2' ;; esac", "built from another requirements.lock"),
        (f"{ANSWERS} run) echo 'no such file' >&2; exit 1 ;; esac", "built from another requirements.lock"),
    ],
)
def test_what_docker_lacks_is_one_line(docker_that: DockerThat, script: str, said: str) -> None:
    docker_that.runs(script)

    with pytest.raises(SandboxUnavailable) as rejected:
        choose_level("container")

    assert said in str(rejected.value)
    assert "\n" not in str(rejected.value)


def test_without_docker_the_line_says_where_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxUnavailable, match="docker is not installed"):
        choose_level("container")


@pytest.mark.docker
def test_a_container_goes_with_its_sandbox(tiny_root: Path, tiny_course: Course) -> None:
    that_works("container")

    sandbox, _ = open_sandbox("container", tiny_root, "lab99_tiny", tiny_course.limits)
    during = _containers_of_this_judge()
    sandbox.close()

    assert len(during) == 1
    assert _containers_of_this_judge() == []


@pytest.mark.docker
def test_a_container_that_does_not_come_up_is_the_machines_fault(
    tiny_root: Path, tiny_course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    that_works("container")
    monkeypatch.setattr(container, "PROGRAM", ["python", "-c", "raise SystemExit('no such library')"])
    notebook = tiny_root / "lab99_tiny.py"
    notebook.write_text("# %%\ndef double(x):\n    return 2 * x\n")

    with pytest.raises(SandboxUnavailable, match="no sandbox came up: no such library"):
        judge_files([notebook], Request(tiny_root, tiny_course, sandbox="container"))


@pytest.mark.docker
def test_a_container_whose_judge_was_killed_is_removed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    that_works("container")
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
def test_a_sandbox_that_is_stopped_in_a_throughput_check_uses_no_processor(
    tiny_root: Path, tiny_course: Course
) -> None:
    that_works("container")
    sandbox, _ = open_sandbox("container", tiny_root, "lab99_tiny", tiny_course.limits)

    with sandbox:
        sandbox.receive(20.0)  # it is ready
        sandbox.pause()
        moved = sandbox.moved()
        sandbox.resume()

    assert moved is None


def _containers_of_this_judge() -> list[str]:
    label = f"label={engine.JUDGE_LABEL}={engine.label_of_this_judge()}"
    return engine.docker("ps", "-a", "--quiet", "--filter", label).split()
