"""The kernel's limit on a sandbox's memory: what no figure of a process shows counts, too."""

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox import memory_group
from autograder.sandbox.memory_group import ENTER, MemoryGroup, new_group

FILES_IN_MEMORY = """
import os
held = os.memfd_create("x")
for _ in range(30):
    os.write(held, b"x" * 10_000_000)
"""
UNREAD_BYTES = """
import socket
held = []
for _ in range(1_500):
    held.append(socket.socketpair())
    held[-1][0].setblocking(False)
    try:
        while True:
            held[-1][0].send(b"x" * 4096)
    except BlockingIOError:
        pass
"""


def run_in(group: MemoryGroup, code: str) -> int:
    into = ["/bin/sh", "-c", f'ulimit -n 4096; {ENTER}; exec "$@"', str(group.entry)]
    return subprocess.run([*into, sys.executable, "-c", code], timeout=60).returncode


@pytest.fixture
def group() -> MemoryGroup:
    """A group of 120 MB."""
    made = new_group(120)
    if made is None:
        pytest.skip("no control group can be written here")
    return made


@pytest.mark.parametrize("code", [FILES_IN_MEMORY, UNREAD_BYTES], ids=["files in memory", "unread bytes of sockets"])
def test_memory_that_no_process_is_charged_with_is_limited(group: MemoryGroup, code: str) -> None:
    try:
        assert run_in(group, code) == -9
        assert group.has_ended_some()
    finally:
        group.remove()


def test_modest_work_is_left_alone_and_the_group_goes_with_it(group: MemoryGroup) -> None:
    assert run_in(group, "held = bytearray(20_000_000)") == 0
    assert not group.has_ended_some()

    group.remove()

    assert not group.folder.exists()


def test_a_process_that_left_the_tree_ends_with_the_group(group: MemoryGroup) -> None:
    leaves = "import subprocess; subprocess.Popen(['sleep', '986'], start_new_session=True)"
    assert run_in(group, leaves) == 0

    group.remove()

    assert not group.folder.exists()


def test_where_no_group_can_be_made_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory_group, "own_groups", lambda: iter([tmp_path]))  # no files of the kernel's in it

    memory_group.parent_of_groups.cache_clear()
    assert new_group(100) is None
    memory_group.parent_of_groups.cache_clear()


@pytest.mark.parametrize(
    ("delegated", "those_that_work", "needs_room", "parent"),
    [
        (False, {"", "a", "a/b"}, [], "a/b"),  # version 1; the one below comes first
        (False, {"", "a"}, [], "a"),  # version 2: the own one has processes
        (True, {"", "a"}, ["a/b"], "a/b"),  # limits of a service hold for its sandboxes, too
        (False, set(), ["a/b"], "a/b"),  # a container that may write to its own
    ],
)
def test_room_is_made_in_ones_own_group_alone_and_only_where_it_is_due(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    delegated: bool,
    those_that_work: set[str],
    needs_room: list[str],
    parent: str,
) -> None:
    groups = [tmp_path / "a" / "b", tmp_path / "a", tmp_path]
    work, roomy = {tmp_path / each for each in those_that_work}, []

    def make_room(group: Path) -> bool:
        roomy.append(group)
        work.add(group)
        return True

    monkeypatch.setattr(memory_group, "own_groups", lambda: iter(groups))
    monkeypatch.setattr(memory_group, "is_delegated", lambda group: delegated)
    monkeypatch.setattr(memory_group, "make_room", make_room)
    monkeypatch.setattr(memory_group, "_works", lambda group: group in work)
    found = memory_group.parent_of_groups.__wrapped__()

    assert found == tmp_path / parent
    assert roomy == [tmp_path / each for each in needs_room]
