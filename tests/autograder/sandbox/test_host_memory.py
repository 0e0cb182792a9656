"""When the machine runs out of memory, the sandbox that used it ends, not one that started later."""

import pytest

from autograder.course import Limits
from autograder.sandbox import memory_limit
from autograder.sandbox.host_memory import MIB, RESERVE_MB, RESERVE_SHARE, HostMemory


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
    left = iter([at_first * MIB, now * MIB])
    assert max(RESERVE_MB, 25_000 * RESERVE_SHARE) == 1_000

    cause = HostMemory(2_500, lambda: next(left)).exceeded_limit()

    assert bool(cause) == ends
    assert cause is None or f"over the memory limit: {now} MB were left" in cause


def test_without_a_control_group_each_process_is_limited_and_the_machine_is_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_limit, "new_group", lambda limit_mb: None)
    monkeypatch.setattr(memory_limit, "parent_of_groups", lambda: None)
    limits = Limits(wall_s=20, load_s=2, case_s=2, memory_mb=400, output_mb=1, processes=100)

    assert memory_limit.memory_limit(limits) == {"setup": "ulimit -d 933888; ulimit -n 1024", "watch_host": True}
    assert "no writable control group" in memory_limit.how_memory_is_limited()
