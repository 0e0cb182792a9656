"""When the machine runs out of memory, the sandbox that used it ends, not one that started later."""

import pytest

from autograder.course import Limits
from autograder.sandbox import memory_limit
from autograder.sandbox.host_memory import MIB, HostMemory, reserve_mb


@pytest.mark.parametrize(
    ("at_first", "now", "ends"),
    [
        (20_000, 15_000, False),  # much is used, but much is left
        (20_000, 800, True),
        (900, 800, False),  # the memory was used up before it started
        (900, 300, True),  # so little is left that any sandbox must end
    ],
)
def test_a_sandbox_ends_when_it_has_used_up_the_memory_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, at_first: int, now: int, ends: bool
) -> None:
    total = type("Memory", (), {"total": 25_000 * MIB})
    monkeypatch.setattr("psutil.virtual_memory", lambda: total)
    monkeypatch.setattr("autograder.sandbox.host_memory.containers_limit", lambda: None)
    left = iter([at_first * MIB, now * MIB])
    assert reserve_mb(25_000 * MIB, None) == 1_000

    cause = HostMemory(2_500, lambda: next(left)).exceeded_limit()

    assert bool(cause) == ends
    assert cause is None or f"over the memory limit: {now} MB were left" in cause


@pytest.mark.parametrize(
    ("machine_mb", "container_mb", "reserved_mb"),
    [
        (4_000, None, 512),
        (64_000, 768, 128),  # the share of the host would be more than the container has
        (64_000, 16_000, 640),
        (64_000, 8_796_093_022_207, 2_560),  # what version 1 of control groups has for no limit
    ],
)
def test_in_a_container_the_reserve_follows_from_its_limit(
    machine_mb: int, container_mb: int | None, reserved_mb: int
) -> None:
    assert reserve_mb(machine_mb * MIB, container_mb and container_mb * MIB) == reserved_mb


def test_without_a_control_group_each_process_is_limited_and_the_machine_is_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_limit, "new_group", lambda limit_mb: None)
    monkeypatch.setattr(memory_limit, "parent_of_groups", lambda: None)
    limits = Limits(wall_s=20, load_s=2, case_s=2, memory_mb=400, output_mb=1, processes=100)

    assert memory_limit.memory_limit(limits) == {"setup": "ulimit -d 933888; ulimit -n 1024", "watch_host": True}
    assert "no writable control group" in memory_limit.how_memory_is_limited()
