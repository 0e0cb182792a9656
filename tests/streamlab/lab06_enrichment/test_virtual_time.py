"""Virtual time is exact and costs no real time, and a deadlock raises at once."""

import asyncio
import time

import pytest

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
