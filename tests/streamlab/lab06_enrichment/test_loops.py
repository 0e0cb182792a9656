"""Work on an event loop, with and without a loop that is already running."""

import asyncio
import threading

from streamlab.lab06_enrichment.loops import outside_running_loop, run
from streamlab.lab06_enrichment.virtual_time import run_virtually


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
