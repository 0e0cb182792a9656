"""Topics on the disk: a creation that fails or is killed leaves nothing, and the server goes on."""

import errno
import os
import resource
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest

from streamlab.lab03_log.wire import topics
from streamlab.lab03_log.wire.server import WireServer
from tests.streamlab.lab03_log.wire.a_log import SimpleLog
from tests.streamlab.lab03_log.wire.asking import create_topic, metadata_code, produce
from tests.streamlab.lab03_log.wire.clients import until
from tests.streamlab.lab03_log.wire.test_faults import GOOD, UNKNOWN_TOPIC

ROOT = Path(__file__).resolve().parents[4]
UNKNOWN, STORAGE = -1, 56
KILLED_IN_A_CREATION = """
import os, sys
from pathlib import Path
from streamlab.lab03_log.wire.topics import Topics
from tests.streamlab.lab03_log.wire.a_log import SimpleLog

open_log = lambda folder: SimpleLog(folder) if folder.name != "t-2" else os._exit(9)
Topics(Path(sys.argv[1]), open_log).make("t", 4)
"""


class WatchedLog(SimpleLog):
    """Notes which logs are open; raises `problem` once its folder is made, if the folder has the name `fails_at`."""

    fails_at = "t-2"
    problem: Exception = OSError(errno.ENOSPC, "disk full")
    is_open: set[str]

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        if folder.name == self.fails_at:
            self._file.close()
            raise self.problem
        self._name = folder.name
        self.is_open.add(folder.name)

    def close(self) -> None:
        super().close()
        self.is_open.discard(self._name)


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WatchedLog, "is_open", set(), raising=False)


@contextmanager
def few_descriptors(count: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = {int(number) for number in os.listdir("/proc/self/fd")}
    last_free = next(islice((number for number in range(soft) if number not in used), count - 1, None))
    resource.setrlimit(resource.RLIMIT_NOFILE, (last_free + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.ENAMETOOLONG])
def test_a_topic_of_which_one_log_cannot_be_opened_is_not_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(WatchedLog, "problem", OSError(number, os.strerror(number)))
    with WireServer(WatchedLog, tmp_path) as server:
        assert create_topic(server.address, "t-", partitions=2) == 0
        before = sorted(tmp_path.iterdir())

        assert create_topic(server.address, "t", partitions=4) == STORAGE

        assert WatchedLog.is_open == {"__consumer_offsets-0", "t--0", "t--1"}
        assert sorted(tmp_path.iterdir()) == before
        assert metadata_code(server.address, "t") == UNKNOWN_TOPIC
        assert create_topic(server.address, "t", partitions=2) == 0
        assert produce(server.address, "t", GOOD) == (0, 0)


def test_an_error_in_a_learners_log_leaves_no_topic_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WatchedLog, "problem", NotImplementedError("write it"))
    with pytest.raises(NotImplementedError, match="write it"), WireServer(WatchedLog, tmp_path) as server:  # noqa: PT012
        assert create_topic(server.address, "t", partitions=4) == UNKNOWN

        assert metadata_code(server.address, "t") == UNKNOWN_TOPIC
    assert [path.name for path in tmp_path.iterdir()] == ["__consumer_offsets-0"]


def test_folders_that_cannot_be_removed_at_once_are_removed_before_the_next_creation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(path: Path) -> None:
        raise OSError(errno.EBUSY, "busy", str(path))

    with WireServer(WatchedLog, tmp_path) as server:
        with monkeypatch.context() as patch:
            patch.setattr(topics.shutil, "rmtree", busy)
            assert create_topic(server.address, "t", partitions=4) == STORAGE
        assert create_topic(server.address, "other") == 0

    assert sorted(path.name for path in tmp_path.iterdir()) == ["__consumer_offsets-0", "other-0"]


def test_a_topic_whose_creation_was_killed_does_not_exist_after_a_restart(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED_IN_A_CREATION, str(tmp_path)], cwd=ROOT, check=False)

    assert killed.returncode == 9
    assert (tmp_path / "t-1").exists()
    with WireServer(SimpleLog, tmp_path) as server:
        assert metadata_code(server.address, "t") == UNKNOWN_TOPIC
        assert create_topic(server.address, "t", partitions=1) == 0
        assert not (tmp_path / "t-1").exists()


def test_if_a_log_does_not_open_at_the_start_the_others_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with WireServer(WatchedLog, tmp_path) as server:
        create_topic(server.address, "t", partitions=2)
    for name in ("t-1", "__consumer_offsets-0"):
        monkeypatch.setattr(WatchedLog, "fails_at", name)

        with pytest.raises(OSError, match="disk full"):
            WireServer(WatchedLog, tmp_path).__enter__()
        assert WatchedLog.is_open == set()


def test_a_topic_with_more_partitions_than_descriptors_leaves_enough_for_clients(tmp_path: Path) -> None:
    with WireServer(SimpleLog, tmp_path) as server, few_descriptors(60):
        created = [create_topic(server.address, f"t{count}", partitions=count) for count in (200, 30, 29)]

        assert created == [STORAGE, 0, STORAGE]
        assert produce(server.address, "t30", GOOD, partition=29) == (0, 0)


def test_clients_without_a_descriptor_wait_until_others_leave(tmp_path: Path) -> None:
    with WireServer(SimpleLog, tmp_path) as server:
        create_topic(server.address, "t")
        host, port = server.address.split(":")
        with few_descriptors(20), ExitStack() as clients, pytest.warns(RuntimeWarning, match="has to wait") as warned:  # noqa: PT031
            waiting = clients.enter_context(socket.socket())
            with suppress(OSError):
                while True:
                    clients.enter_context(socket.socket())
            waiting.connect((host, int(port)))
            deque(until(lambda: len(warned) > 0))

        assert produce(server.address, "t", GOOD) == (0, 0)
