"""`docker/lab-docker` reports a problem in one line; a script replaces docker itself."""

import os
import socket
import subprocess
from pathlib import Path

import pytest
import yaml

from streamlab.services.ports import free_ports

SCRIPT = Path(__file__).resolve().parents[2] / "docker" / "lab-docker"
PORTS = ("STREAMLAB_PORT", "STREAMLAB_SPARK_PORT", "STREAMLAB_KAFKA_PORT", "STREAMLAB_SYSTEM_PORT")
RELEASE = yaml.safe_load((SCRIPT.parents[1] / "course.yml").read_text(encoding="utf-8"))["release"]
OLDER = 'case "$all" in *streamlab.release*) echo 2025.1 ;; *) echo there ;; esac'
UNLABELLED = 'case "$all" in *streamlab.release*) echo ;; *) echo there ;; esac'
SUCCEEDS = {
    "version": "echo v2",
    "info": 'case "$*" in *Mem*) echo 8000000000 ;; *Root*) echo /nowhere ;; *) echo 28.0 ;; esac',
    "image": f'case "$all" in *streamlab.release*) echo {RELEASE} ;; *) echo there ;; esac',
    "ps": "true",
    "logs": "echo 'StreamLab is at http://127.0.0.1:8888/lab?token=abc'",
    "up": "true",
    "build": "true",
}
PERMISSION = "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock"
STOPPED_29 = "failed to connect to the docker API at unix:///var/run/docker.sock; check if the daemon is running"
STOPPED = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"


def lab_docker(folder: Path, *arguments: str, path: str = "", **answers: str) -> subprocess.CompletedProcess[str]:
    """Run it with a fake docker: `answers` are scripts by verb; the others succeed."""
    cases = "\n".join(f"{verb}) {body}; exit ;;" for verb, body in (SUCCEEDS | answers).items())
    docker = folder / "docker"
    docker.write_text(f'#!/bin/sh\nall=$*\nfor word in "$@"; do case $word in\n{cases}\nesac; done\n')
    docker.chmod(0o755)
    free = dict(zip(PORTS, map(str, free_ports(len(PORTS))), strict=True))
    environment = free | os.environ | {"STREAMLAB_WAIT_S": "0", "PATH": path or f"{folder}:{os.environ['PATH']}"}
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, env=environment)


def test_up_ends_with_the_page_to_open(tmp_path: Path) -> None:
    ran = lab_docker(tmp_path, "up")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "StreamLab is at http://127.0.0.1:8888/lab?token=abc\n", "")


@pytest.mark.parametrize(
    ("image", "first_line"),
    [
        (OLDER, f"rebuilding the image: it is of release 2025.1, this is {RELEASE} (some minutes)"),
        (UNLABELLED, f"rebuilding the image: it is of release unknown, this is {RELEASE} (some minutes)"),
        ("false", "building the image, once (some minutes)"),
    ],
    ids=["older release", "release without a label", "no image"],
)
def test_up_builds_an_image_of_this_release(tmp_path: Path, image: str, first_line: str) -> None:
    ran = lab_docker(tmp_path, "up", image=image, build='echo "built with: $all"')

    lines = ran.stdout.splitlines()
    assert lines[0] == first_line
    assert lines[1].endswith(f"build --build-arg STREAMLAB_RELEASE={RELEASE} lab")
    assert lines[2].startswith("StreamLab is at")


def test_an_image_of_another_release_that_cannot_be_rebuilt_is_not_started(tmp_path: Path) -> None:
    ran = lab_docker(tmp_path, "up", image=OLDER, build="false", up="echo started")

    assert ran.returncode == 2
    assert "started" not in ran.stdout


@pytest.mark.parametrize(
    ("image", "line"),
    [
        (SUCCEEDS["image"], "ok      image       there"),
        (OLDER, f"note    image       of another release than this kit, {RELEASE}; up rebuilds it"),
        ("false", "note    image       not built; up builds it"),
    ],
    ids=["this release", "older release", "no image"],
)
def test_the_doctor_says_whether_up_builds_the_image(tmp_path: Path, image: str, line: str) -> None:
    assert line in lab_docker(tmp_path, "doctor", image=image).stdout.splitlines()


def test_compose_without_the_script_labels_the_image_with_the_release_of_the_course() -> None:
    dockerfile = (SCRIPT.parent / "Dockerfile").read_text(encoding="utf-8")

    assert f"\nARG STREAMLAB_RELEASE={RELEASE}\n" in dockerfile
    assert '\nLABEL streamlab.release="${STREAMLAB_RELEASE}"\n' in dockerfile


def test_a_note_on_an_older_release_comes_before_the_page(tmp_path: Path) -> None:
    old, page = "your work was started with release 2025.1, this is 2026.1", "StreamLab is at http://127.0.0.1:1/lab"
    logs = "".join(f"lab-1  | {line}\n" for line in (page, old, page))
    ran = lab_docker(tmp_path, "url", logs=f"printf '{logs}'")

    assert ran.stdout.splitlines() == [old, page]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"ps": f"echo '{PERMISSION}' >&2; false"}, "you may not use docker; add yourself to its group"),
        ({"ps": f"echo '{STOPPED}' >&2; false"}, "docker's engine does not run; start it"),
        ({"ps": f"echo '{STOPPED_29}' >&2; false"}, "docker's engine does not run; start it"),
        ({"ps": "echo 'no such host' >&2; false"}, "docker does not answer: no such host"),
        ({"info": "echo 2000000000"}, "docker has 1907 MB of memory and needs 3500"),
        ({"image": "false", "build": "false"}, "the image was not built; the error is above"),
        ({"up": "false"}, "not everything started; `docker/lab-docker doctor` shows what runs"),
        (
            {"up": "false", "logs": "echo 'kafka-1  | lab: the data in /data are of a newer one'"},
            "not everything started: kafka: the data in /data are of a newer one; `docker/lab-docker doctor` shows",
        ),
        ({"logs": "true"}, "JupyterLab has not printed its address"),
    ],
    ids=(
        *("no group", "stopped engine", "stopped engine of docker 29", "other trouble", "too little memory"),
        *("broken build", "broken start", "broken start of a server that says why", "no page"),
    ),
)
def test_a_problem_is_one_line_and_code_2(tmp_path: Path, answers: dict[str, str], message: str) -> None:
    ran = lab_docker(tmp_path, "up", **answers)

    assert ran.returncode == 2
    assert ran.stderr.startswith(f"lab: {message}")
    assert ran.stderr.count("\n") == 1


def test_a_taken_port_is_reported_with_a_free_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("STREAMLAB_PORT", str(port))

        ran = lab_docker(tmp_path, "up")

    way_out = f"choose one: STREAMLAB_PORT={port + 1} docker/lab-docker up"
    assert ran.stderr == f"lab: port {port} is taken by another program; {way_out}\n"


def test_a_port_that_the_environment_itself_holds_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as own:
        port = own.getsockname()[1]
        monkeypatch.setenv("STREAMLAB_PORT", str(port))

        ran = lab_docker(tmp_path, "up", ps=f"echo 'streamlab-lab-1 127.0.0.1:{port}->8888/tcp'")

    assert ran.returncode == 0


def test_a_port_that_is_not_a_number_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_SPARK_PORT", "many")

    assert lab_docker(tmp_path, "up").stderr == "lab: STREAMLAB_SPARK_PORT must be a number, got many\n"


def test_without_docker_it_says_where_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for tool in ("/bin/sh", "/usr/bin/dirname"):
        (tmp_path / "bin" / Path(tool).name).symlink_to(tool)
    ran = lab_docker(tmp_path, "up", path=str(tmp_path / "bin"))

    assert ran.stderr == "lab: docker is not installed; see https://docs.docker.com/engine/install/\n"


def test_the_error_for_an_unknown_verb_lists_the_verbs(tmp_path: Path) -> None:
    assert lab_docker(tmp_path, "start").stderr == "lab: expected up, down, url, doctor or sandbox, got start\n"


def test_the_image_of_sandboxes_is_built_and_the_next_command_is_shown(tmp_path: Path) -> None:
    ran = lab_docker(tmp_path, "sandbox", build='echo "$all"')

    assert "--target sandbox --tag streamlab-sandbox" in ran.stdout
    assert ran.stdout.endswith("image streamlab-sandbox is ready: ./lab grade LAB --sandbox container\n")


def test_a_failed_build_of_the_image_of_sandboxes_is_one_line(tmp_path: Path) -> None:
    ran = lab_docker(tmp_path, "sandbox", build="false")

    assert (ran.returncode, ran.stderr) == (2, "lab: the image was not built; the error is above\n")
