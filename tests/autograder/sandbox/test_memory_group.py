"""The kernel's limit on a sandbox's memory also counts memory that no process figure shows."""

import os
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
    created = new_group(120)
    if created is None:
        assert not os.environ.get("CI"), "CI needs a writable control group"
        pytest.skip("no control group can be written here")
    return created


@pytest.mark.parametrize("code", [FILES_IN_MEMORY, UNREAD_BYTES], ids=["files in memory", "unread bytes of sockets"])
def test_memory_that_is_not_charged_to_a_process_is_limited(group: MemoryGroup, code: str) -> None:
    try:
        assert run_in(group, code) == -9
        assert group.has_killed_a_process()
    finally:
        group.remove()


def test_work_below_the_limit_is_not_killed_and_the_group_can_be_removed(group: MemoryGroup) -> None:
    assert run_in(group, "held = bytearray(20_000_000)") == 0
    assert not group.has_killed_a_process()

    group.remove()

    assert not group.folder.exists()


def test_a_process_that_left_the_tree_ends_with_the_group(group: MemoryGroup) -> None:
    leaves = "import subprocess; subprocess.Popen(['sleep', '986'], start_new_session=True)"
    assert run_in(group, leaves) == 0

    group.remove()

    assert not group.folder.exists()


def test_no_group_is_created_without_the_files_of_the_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory_group, "own_groups", lambda: iter([tmp_path]))  # a folder without the kernel's files

    memory_group.parent_of_groups.cache_clear()
    assert new_group(100) is None
    memory_group.parent_of_groups.cache_clear()


@pytest.mark.parametrize(
    ("delegated", "working", "needs_room", "parent"),
    [
        (False, {"", "a", "a/b"}, [], "a/b"),  # version 1: the lowest group comes first
        (False, {"", "a"}, [], "a"),  # version 2: the own group has processes
        (True, {"", "a"}, ["a/b"], "a/b"),  # the limits of a service also apply to its sandboxes
        (False, set(), ["a/b"], "a/b"),  # a container that may write to its own group
    ],
)
def test_room_is_made_only_in_the_own_group_and_only_where_needed(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    delegated: bool,
    working: set[str],
    needs_room: list[str],
    parent: str,
) -> None:
    groups = [tmp_path / "a" / "b", tmp_path / "a", tmp_path]
    work, roomy = {tmp_path / each for each in working}, []

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
