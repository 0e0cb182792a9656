"""`docker/open-lab`, which starts the environment's JupyterLab, in a test folder."""

import json
import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "docker" / "open-lab"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit of release 2026.1 whose `lab` prints its arguments, with an empty work folder."""
    (tmp_path / "work").mkdir()
    (tmp_path / "course.yml").write_text('course: StreamLab\nrelease: "2026.1"\n')
    (tmp_path / "lab").write_text('#!/bin/sh\necho "lab $*"\n')
    (tmp_path / "lab").chmod(0o755)
    return tmp_path


def open_lab(kit: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    folders = {"STREAMLAB_KIT": str(kit), "HOME": str(kit / "home"), "TMPDIR": str(kit / "scratch")}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLAB_")}
    return subprocess.run([SCRIPT], capture_output=True, text=True, env=inherited | folders | settings)


def test_it_prints_the_page_with_a_token_that_stays_the_same(kit: Path) -> None:
    first, second = (open_lab(kit).stdout.splitlines() for _ in range(2))

    assert first == second
    assert first[0].startswith("StreamLab is at http://127.0.0.1:8888/lab?token=")
    assert len(first[0].partition("token=")[2]) == 32
    assert first[-1] == "lab start --no-browser --port 8888"
    assert (kit / "work" / ".token").stat().st_mode & 0o077 == 0


def test_a_configured_token_and_ports_are_in_the_page(kit: Path) -> None:
    ran = open_lab(kit, STREAMLAB_TOKEN="mine", STREAMLAB_PORT="9000", STREAMLAB_SPARK_PORT="9001")

    assert ran.stdout.splitlines()[:2] == [
        "StreamLab is at http://127.0.0.1:9000/lab?token=mine",
        "Spark's page is at http://127.0.0.1:9001",
    ]


def test_a_volume_of_an_older_release_is_reported_in_one_line_until_its_mark_is_deleted(kit: Path) -> None:
    (kit / "work" / ".release").write_text("2025.1\n")
    [note] = [line for line in open_lab(kit).stdout.splitlines() if "started with" in line]
    (kit / "work" / ".release").unlink()
    later = [line for line in open_lab(kit).stdout.splitlines() if "started with" in line]

    assert note.startswith("your work was started with release 2025.1, this is 2026.1; `lab update LAB` carries")
    assert later == []


def test_sparks_page_and_the_newest_report_are_buttons_above_the_labs(kit: Path) -> None:
    open_lab(kit, STREAMLAB_SPARK_PORT="9001")

    settings = json.loads((kit / "home/.jupyter/labconfig/default_setting_overrides.json").read_text())
    buttons = settings["@jupyterlab/application-extension:top-bar"]["toolbar"]
    assert [each["args"]["url"] for each in buttons] == ["http://127.0.0.1:9001", "/files/report.html"]
    assert "No report yet" in (kit / "work" / "report.html").read_text()


def test_an_existing_report_is_kept(kit: Path) -> None:
    (kit / "work" / "report.html").write_text("31 of 31")
    open_lab(kit)

    assert (kit / "work" / "report.html").read_text() == "31 of 31"


def test_temporary_files_of_an_earlier_start_are_deleted(kit: Path) -> None:
    (kit / "scratch").mkdir()
    (kit / "scratch" / "left").touch()
    open_lab(kit)

    assert list((kit / "scratch").iterdir()) == []


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_volume_of_another_user_is_reported_in_one_line(kit: Path) -> None:
    (kit / "work").chmod(0o555)
    ran = open_lab(kit)

    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
