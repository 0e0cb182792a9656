"""docker/ci.sh tries the attacks in containers once for each state of the files they rest on, and reports a skip."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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
