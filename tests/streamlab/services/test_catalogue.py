"""The two ways to run a service, its errors, the package of its programs, and the clean-up: nothing remains."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from streamlab.services import ServiceError, running, service
from streamlab.services.catalogue import KINDS, kept, kind_of, services_folder
from streamlab.services.wheels import NotInstalled, wheel_folder
from tests.streamlab.services.conftest import processes_of, wait_until

ROOT = Path(__file__).resolve().parents[3]
RUNS_SERVICE = """
import sys, time
from streamlab.services import running
with running("zookeeper") as own:
    print(own.folder, own.pid, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STREAMLAB_SERVICES", str(tmp_path / "services"))
    return tmp_path / "services"


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_a_class_with_that_name(name: str) -> None:
    assert kind_of(name).name == name


def test_an_unknown_name_is_rejected_with_the_known_names() -> None:
    with pytest.raises(ServiceError, match="no service rabbit; there are kafka, zookeeper"), running("rabbit"):
        pass


def test_the_default_folder_of_services_is_in_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_SERVICES")

    assert services_folder() == ROOT / "work" / "services"


def test_the_error_for_a_stopped_service_shows_how_to_start_it(folder: Path) -> None:
    with pytest.raises(ServiceError, match=r"kafka does not run; `./lab services up kafka` starts it"):
        service("kafka")

    assert not folder.exists()


def test_a_service_started_on_the_command_line_is_found_until_it_is_killed() -> None:
    started = kept("zookeeper")
    started.start()
    pid = started.pid
    found = service("zookeeper")
    started.pause()
    with pytest.raises(ServiceError, match=rf"zookeeper runs \(pid {pid}\) but does not answer"):
        service("zookeeper")
    started.kill()

    with pytest.raises(ServiceError, match=rf"zookeeper ended .*\(pid {pid} is gone\).*up zookeeper` starts it again"):
        service("zookeeper")
    assert (found.address, found.ports) == (started.address, started.ports)


def test_a_stale_pid_file_is_reported_and_does_not_prevent_a_start(folder: Path) -> None:
    (folder / "zookeeper").mkdir(parents=True)
    (folder / "zookeeper" / "pid.json").write_text(json.dumps({"pid": os.getpid(), "began": 1.0}))
    with pytest.raises(ServiceError, match=rf"pid {os.getpid()} belongs to another process now"):
        service("zookeeper")

    mine = kept("zookeeper")
    mine.start()
    answered = service("zookeeper").address == mine.address
    mine.stop()

    assert answered


def test_two_parallel_starts_start_one_service(folder: Path) -> None:
    both = [kept("zookeeper") for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda each: each.start(), both))
    pids = {each.pid for each in both}
    number = len(processes_of(folder))
    both[0].stop()

    assert (len(pids), number) == (1, 1)
    assert None not in pids


def test_the_folder_and_process_are_removed_if_the_owning_python_is_killed() -> None:
    command = [sys.executable, "-c", RUNS_SERVICE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True) as python:
        assert python.stdout is not None
        folder = Path(python.stdout.readline().split()[0])
        before = processes_of(folder)

        python.kill()

    wait_until(lambda: not folder.exists() and processes_of(folder) == [])
    assert len(before) == 2  # the server and its guard


def test_an_error_in_the_block_stops_the_service() -> None:
    with pytest.raises(RuntimeError, match="mine"), running("zookeeper") as own:
        raise RuntimeError("mine")

    assert processes_of(own.folder) == []
    assert not own.folder.exists()


def test_the_folder_of_an_installed_package_is_returned() -> None:
    assert wheel_folder("pytest", "redis") == Path(pytest.__file__).parent


def test_the_error_for_a_missing_package_includes_the_next_step() -> None:
    with pytest.raises(NotInstalled, match=r"redis needs the package no_such_module.*`\./lab services up redis`"):
        wheel_folder("no_such_module", "redis")
