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


HYBRID = """30 23 0:26 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
31 23 0:27 / /sys/fs/cgroup/pids rw,relatime shared:9 - cgroup cgroup rw,pids
32 23 0:28 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
"""
UNIFIED = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
IN_CONTAINER = "30 23 0:26 /docker/7 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"


@pytest.mark.parametrize(
    ("own", "mounted", "expected"),
    [
        ("4:memory:/a/b\n3:pids:/\n", HYBRID, ["memory/a/b", "memory/a", "memory"]),
        ("0::/user.slice/x.scope\n", UNIFIED, ["user.slice/x.scope", "user.slice", ""]),
        ("4:memory:/docker/7\n", IN_CONTAINER, ["memory"]),
        ("4:memory:/elsewhere\n", IN_CONTAINER, []),
        ("0::/\n", "", []),
    ],
    ids=["version 1", "version 2", "a container", "a container's outside", "none"],
)
def test_groups_are_made_in_ones_own_or_above(tmp_path: Path, own: str, mounted: str, expected: list[str]) -> None:
    (tmp_path / "own").write_text(own)
    (tmp_path / "mounted").write_text(mounted)

    found = memory_group._candidates(str(tmp_path / "own"), str(tmp_path / "mounted"))

    assert list(found) == [Path("/sys/fs/cgroup", each) for each in expected]


def test_where_no_group_can_be_made_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory_group, "_candidates", lambda: iter([tmp_path]))  # no files of the kernel's in it

    memory_group.parent_of_groups.cache_clear()
    assert new_group(100) is None
    memory_group.parent_of_groups.cache_clear()
