"""The control groups of a process, and how a group of version 2 can contain groups with limits.

A test double follows the kernel's rules (admin-guide/cgroup-v2, "No Internal Process Constraint").
"""

import errno
from pathlib import Path

import pytest

from autograder.sandbox import own_groups as module
from autograder.sandbox.own_groups import LEAF, make_room, own_groups

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
def test_groups_are_created_in_the_own_group_or_above(
    tmp_path: Path, own: str, mounted: str, expected: list[str]
) -> None:
    (tmp_path / "own").write_text(own)
    (tmp_path / "mounted").write_text(mounted)

    found = own_groups(str(tmp_path / "own"), str(tmp_path / "mounted"))

    assert list(found) == [Path("/sys/fs/cgroup", each) for each in expected]


class Kernel:
    """A test double for a group of version 2 with processes: a folder, and the effects of writing to its files."""

    def __init__(self, group: Path, processes: str, immovable: str = "") -> None:
        self.group, self.immovable = group, immovable
        for name, text in {"controllers": "cpu memory\n", "subtree_control": "", "procs": processes}.items():
            (group / f"cgroup.{name}").write_text(text)

    def write(self, file: Path, value: str) -> None:
        procs = self.group / "cgroup.procs"
        if file.name == "cgroup.subtree_control":
            if procs.read_text():
                raise OSError(errno.EBUSY, "has processes")
            file.write_text(value)
            return
        if value in self.immovable.split():
            raise OSError(errno.EACCES, "not yours")
        source = self.group / LEAF / "cgroup.procs" if file == procs else procs
        source.write_text("".join(f"{each}\n" for each in source.read_text().split() if each != value))
        with file.open("a") as more:
            more.write(f"{value}\n")


def test_a_group_without_processes_needs_no_group_below(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "write", Kernel(tmp_path, "").write)

    assert make_room(tmp_path)
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory"
    assert not (tmp_path / LEAF).exists()


def test_processes_make_room_by_moving_into_a_group_below(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "write", Kernel(tmp_path, "7\n8\n").write)

    assert make_room(tmp_path)
    assert (tmp_path / "cgroup.procs").read_text() == ""
    assert (tmp_path / LEAF / "cgroup.procs").read_text().split() == ["7", "8"]


def test_if_one_process_cannot_be_moved_all_stay_in_their_group(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "write", Kernel(tmp_path, "7\n8\n", immovable="8").write)

    assert not make_room(tmp_path)
    assert sorted((tmp_path / "cgroup.procs").read_text().split()) == ["7", "8"]


@pytest.mark.parametrize("controllers", ["cpu pids\n", None], ids=["memory not given", "version 1"])
def test_no_process_is_moved_where_memory_cannot_be_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, controllers: str | None
) -> None:
    monkeypatch.setattr(module, "write", Kernel(tmp_path, "7\n").write)
    (tmp_path / "cgroup.controllers").unlink()
    if controllers:
        (tmp_path / "cgroup.controllers").write_text(controllers)

    assert not make_room(tmp_path)
    assert not (tmp_path / LEAF).exists()
    assert (tmp_path / "cgroup.procs").read_text() == "7\n"
