"""`docker/ci.sh`: without an engine it ends with one line and code 3; attacks are tried once per state of the files."""

import os
import subprocess
import sys
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


DOCKER = ROOT / "docker"
NO_HOLE = "lab01_wordcount · hostile 2 attacks: nothing gained, each one named\n0 holes, 1 s"


@pytest.fixture
def attacks(tmp_path: Path) -> Path:
    """A kit of one file that the attacks rest on, with a judge that counts its calls."""
    (tmp_path / "box.py").write_text("")
    (tmp_path / "python").write_text(
        "#!/bin/sh\n"
        f'case $2 in *code_digest) PYTHONPATH={ROOT} exec {sys.executable} "$@" ;; esac\n'
        f"echo called >>{tmp_path}/calls\necho '{NO_HOLE}'\nexit $CODE\n"
    )
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def tried(kit: Path, only: str = "", code: int = 0) -> tuple[int, str]:
    """Run the step; return how often the attacks were tried so far, and its output."""
    script = f"""
    set -eu; here={kit}/docker T={kit} only={only} python={kit}/python; fail() {{ echo "$1"; exit 1; }}
    mkdir -p "$here/ci"; . {DOCKER}/ci/attacks.sh; RESTS_ON=(box.py); attacks_in_containers
    """
    ran = subprocess.run(["bash", "-c", script], cwd=kit, env={"PATH": "/usr/bin:/bin", "CODE": str(code)}, stdout=-1)
    calls = (kit / "calls").read_text().count("called") if (kit / "calls").exists() else 0
    return calls, ran.stdout.decode()


def test_attacks_are_tried_until_all_have_failed_and_then_skipped(attacks: Path) -> None:
    first, second, third = tried(attacks, code=1), tried(attacks), tried(attacks)

    assert [first[0], second[0], third[0]] == [1, 2, 2]
    assert "an attack went through" in first[1]
    assert "the attacks were skipped; in containers they last gave: lab01_wordcount · hostile 2 attacks" in third[1]


def test_they_are_tried_again_after_a_change_or_on_request(attacks: Path) -> None:
    tried(attacks)
    asked_for = tried(attacks, only="attacks")
    (attacks / "box.py").write_text("x = 1\n")
    changed = tried(attacks)

    assert (asked_for[0], changed[0]) == (2, 3)


def test_the_files_that_they_rest_on_exist() -> None:
    script = f"here={DOCKER} python={sys.executable}; . {DOCKER}/ci/attacks.sh; attacks_digest"
    ran = subprocess.run(["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True)

    assert (ran.returncode, ran.stderr, len(ran.stdout.strip())) == (0, "", 64)
