"""Virtual time is exact and costs no real time; work runs with and without a loop that is already running."""

import asyncio
import threading
import time

import pytest

from streamlab.lab06_enrichment.loops import outside_running_loop, run
from streamlab.lab06_enrichment.virtual_time import Stuck, run_virtually


def test_an_hour_of_virtual_time_passes_at_once() -> None:
    began_s = time.monotonic()

    assert run_virtually(asyncio.sleep(3600, "done")) == ("done", 3600.0)
    assert time.monotonic() - began_s < 5


@pytest.mark.parametrize(("places", "took_s"), [(1, 5.0), (10, 0.5), (50, 0.1), (100, 0.05)])
def test_a_thousand_waits_take_as_long_as_littles_law_predicts(places: int, took_s: float) -> None:
    async def work() -> None:
        free = asyncio.Semaphore(places)

        async def one() -> None:
            async with free:
                await asyncio.sleep(0.005)

        await asyncio.gather(*(one() for _ in range(1000)))

    assert run_virtually(work())[1] == pytest.approx(took_s)


def test_a_timeout_fires_in_virtual_time() -> None:
    async def work() -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 60)
        return asyncio.get_running_loop().time()

    assert run_virtually(work()) == (60.0, 60.0)


def test_a_deadlock_raises() -> None:
    with pytest.raises(Stuck, match="no timer will wake any"):
        run_virtually(asyncio.Event().wait())


def test_an_error_is_raised_and_the_remaining_tasks_are_cancelled() -> None:
    cancelled = []

    async def left() -> None:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def work() -> None:
        task = asyncio.create_task(left())
        await asyncio.sleep(1)
        raise KeyError(task.get_name())

    with pytest.raises(KeyError):
        run_virtually(work())
    assert cancelled == [True]


async def thread_number() -> int:
    await asyncio.sleep(0)
    return threading.get_ident()


def test_work_stays_in_this_thread_without_a_running_loop() -> None:
    assert run(thread_number()) == threading.get_ident()


def test_work_runs_in_another_thread_next_to_a_running_loop() -> None:
    async def outer() -> tuple[int, tuple[int, float]]:
        return run(thread_number()), run_virtually(thread_number())

    real, (virtual, _) = asyncio.run(outer())

    assert threading.get_ident() not in (real, virtual)


def test_all_calls_of_one_block_share_one_thread() -> None:
    async def outer() -> set[int]:
        with outside_running_loop() as call:
            return {call(threading.get_ident) for _ in range(3)}

    assert len(asyncio.run(outer())) == 1
