"""`docker/ci.sh` on a machine without an engine ends with one line and code 3 before it does anything."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_ENGINE = {"docker": "exit 1"}
ROOT_USER = {"id": "echo 0"}
NO_MOUNT = {"unshare": "exit 1"}
NO_NETWORK = {"unshare": "case $* in *--net*) exit 1 ;; esac"}
NO_GROUPS = {"unshare": "exit 0", "sed": "echo 000001ffffffffff", "mkdir": "exit 1"}


def with_programs(folder: Path, programs: dict[str, str]) -> dict[str, str]:
    """Return an environment in which scripts replace these programs."""
    for name, body in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("programs", "why"),
    [
        ({"id": "echo 1000"}, "starting one takes root"),
        (ROOT_USER | NO_MOUNT, "root may not mount here"),
        (ROOT_USER | NO_NETWORK, "root may not make network namespaces here"),
        (ROOT_USER | {"unshare": "exit 0", "sed": "echo 0"}, "root may not make networks here"),
        (ROOT_USER | NO_GROUPS, "root may not make control groups here"),
    ],
    ids=["not root", "no mount", "no namespace", "no network", "no control groups"],
)
@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="elsewhere it says just that")
def test_it_gives_the_reason_in_one_line_and_code_3(tmp_path: Path, programs: dict[str, str], why: str) -> None:
    environment = with_programs(tmp_path, NO_ENGINE | programs)
    ran = subprocess.run([ROOT / "docker" / "ci.sh"], capture_output=True, text=True, env=environment)

    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == f"docker is not available here: no engine answers, and {why}\n"


def test_the_gates_pass_only_with_code_0_and_code_3() -> None:
    gate = next(line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("docker/ci.sh"))
    gates = [gate.replace("docker/ci.sh", f"(exit {code})") for code in (0, 1, 2, 3)]

    assert [subprocess.run(["bash", "-c", each]).returncode for each in gates] == [0, 1, 2, 0]
