"""The two ways to have a service; what `service` says when there is none to be had; nothing is ever left behind."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from streamlab.services import ServiceError, running, service
from streamlab.services.catalogue import KINDS, kept, kind_of, services_folder
from tests.streamlab.services.conftest import processes_of, wait_until

ROOT = Path(__file__).resolve().parents[3]
KEEPS_ONE = """
import sys, time
from streamlab.services import running
with running("zookeeper") as own:
    print(own.folder, own.pid, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the services of `./lab services`, empty."""
    monkeypatch.setenv("STREAMLAB_SERVICES", str(tmp_path / "services"))
    return tmp_path / "services"


@pytest.mark.parametrize("name", KINDS)
def test_every_line_of_the_table_is_a_class_of_that_name(name: str) -> None:
    assert kind_of(name).name == name


def test_an_unknown_name_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(ServiceError, match="no service rabbit; there are kafka, zookeeper"), running("rabbit"):
        pass


def test_without_a_name_of_their_own_the_services_lie_in_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMLAB_SERVICES")

    assert services_folder() == ROOT / "work" / "services"


def test_a_service_that_was_not_started_is_answered_with_how_to_start_it(folder: Path) -> None:
    with pytest.raises(ServiceError, match=r"kafka does not run; `./lab services up kafka` starts it"):
        service("kafka")

    assert not folder.exists()


def test_the_service_of_the_command_line_is_found_by_another_object_until_it_is_killed() -> None:
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


def test_a_pid_file_of_another_process_is_said_and_does_not_hinder_a_start(folder: Path) -> None:
    (folder / "zookeeper").mkdir(parents=True)
    (folder / "zookeeper" / "pid.json").write_text(json.dumps({"pid": os.getpid(), "began": 1.0}))
    with pytest.raises(ServiceError, match=rf"pid {os.getpid()} belongs to another process now"):
        service("zookeeper")

    mine = kept("zookeeper")
    mine.start()
    answered = service("zookeeper").address == mine.address
    mine.stop()

    assert answered


def test_two_starts_at_once_start_one(folder: Path) -> None:
    both = [kept("zookeeper") for _ in range(2)]
    threads = [threading.Thread(target=each.start) for each in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pids = {each.pid for each in both}
    number = len(processes_of(folder))
    both[0].stop()

    assert (len(pids), number) == (1, 1)
    assert None not in pids


def test_its_folder_and_process_go_when_the_python_that_has_it_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KEEPS_ONE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as python:
        assert python.stdout is not None
        folder = Path(python.stdout.readline().split()[0])
        before = processes_of(folder)

        python.kill()

    wait_until(lambda: not folder.exists() and processes_of(folder) == [])
    assert len(before) == 2  # the server and its guard


def test_an_error_in_the_block_ends_the_service_too() -> None:
    with pytest.raises(RuntimeError, match="mine"), running("zookeeper") as own:
        raise RuntimeError("mine")

    assert processes_of(own.folder) == []
    assert not own.folder.exists()
