"""Time in which threads wait for a core does not count, and a limit still ends."""

import os
import threading
import time

import pytest

from streamlab import granted_time
from streamlab.granted_time import Deadline, GrantedClock, Times, lost_s, own_pids, thread_times

NS = 1_000_000_000
ONE, TWO = (1, "1"), (1, "2")


def times(*seconds: tuple[float, float]) -> Times:
    """Return times of threads 1, 2, … that ran and waited for so many seconds."""
    return {(1, str(at)): (int(ran * NS), int(waited * NS)) for at, (ran, waited) in enumerate(seconds, 1)}


@pytest.mark.parametrize(
    ("elapsed_s", "spent", "lost"),
    [
        (2.0, [(2.0, 0.0)], 0.0),  # a core for itself
        (2.0, [(0.5, 1.5)], 1.5),  # a quarter of a core
        (2.0, [(0.5, 1.5), (0.5, 1.5)], 1.5),  # two threads are held up together
        (2.0, [(0.01, 0.04)], 0.04),  # it slept most of the time, and sleeping is as fast as ever
        (2.0, [(0.0, 0.0)], 0.0),
        (2.0, [], 0.0),
        (2.0, [(0.0, 2.0)], 2.0),  # never ran
    ],
)
def test_the_time_lost_is_the_share_of_waiting_for_a_core(
    elapsed_s: float, spent: list[tuple[float, float]], lost: float
) -> None:
    assert lost_s(elapsed_s, {}, times(*spent)) == pytest.approx(lost)


def test_only_what_threads_did_since_the_last_look_counts() -> None:
    before = times((5.0, 7.0), (1.0, 1.0))

    assert lost_s(1.0, before, {ONE: (6 * NS, 7 * NS)}) == 0.0  # thread 2 has ended
    assert lost_s(1.0, before, {ONE: (5 * NS, 8 * NS), TWO: (NS, NS)}) == 1.0
    assert lost_s(1.0, before, {ONE: (0, 0)}) == 0.0  # another thread with the same number


def test_a_clock_counts_every_second_where_the_kernel_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(granted_time, "thread_times", lambda pids: {})
    monkeypatch.setattr(granted_time, "EVERY_S", 0.0)
    clock, began = GrantedClock(own_pids), time.monotonic()
    time.sleep(0.05)

    assert 0.05 <= clock() <= time.monotonic() - began + 0.01


def test_a_clock_stands_still_while_its_threads_wait_for_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = iter(range(1, 10_000))
    monkeypatch.setattr(granted_time, "thread_times", lambda pids: {ONE: (0, 3600 * NS * next(waits))})
    monkeypatch.setattr(granted_time, "EVERY_S", 0.0)
    clock = GrantedClock(own_pids)
    first = clock()
    time.sleep(0.05)

    assert clock() == pytest.approx(first)


def test_a_deadline_ends_on_its_clock_and_at_the_latest_in_real_time() -> None:
    ticks = iter([0.0, 0.4, 1.0])
    by_clock = Deadline(1.0, lambda: next(ticks))

    assert by_clock.left_s() == pytest.approx(0.6)
    assert by_clock.is_over

    stands_still = Deadline(0.01, lambda: 0.0)
    assert not stands_still.is_over
    time.sleep(0.01 * granted_time.LONGEST)
    assert stands_still.is_over


def test_the_kernel_counts_for_every_thread_of_this_process() -> None:
    stay = threading.Event()
    thread = threading.Thread(target=stay.wait)
    thread.start()
    try:
        found = thread_times(own_pids())
    finally:
        stay.set()
        thread.join()

    assert {(os.getpid(), str(os.getpid())), (os.getpid(), str(thread.native_id))} <= found.keys()
    assert thread_times([2**22 + 1]) == {}
