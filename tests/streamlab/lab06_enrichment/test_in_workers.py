"""Python workers cache their objects, are found and killed; async results come one by one, in a running loop too."""

import asyncio
import os
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from streamlab.lab06_enrichment.in_workers import in_turn, per_worker
from streamlab.lab06_enrichment.python_workers import kill_python_workers, python_workers


def test_an_object_is_created_once_per_process_and_name() -> None:
    made: list[int] = []
    first = per_worker("test of a name", lambda: made.append(1) or made)
    second = per_worker("test of a name", lambda: made.append(2) or made)

    assert (first is second, made) == (True, [1])


async def numbers(closed: list[bool]) -> AsyncGenerator[int, None]:
    try:
        for number in range(3):
            await asyncio.sleep(0)
            yield number
    finally:
        closed.append(True)


def test_items_come_in_order_with_and_without_a_running_loop() -> None:
    closed: list[bool] = []

    async def in_a_notebook() -> list[int]:
        return list(in_turn(numbers(closed)))

    assert list(in_turn(numbers(closed))) == [0, 1, 2]
    assert asyncio.run(in_a_notebook()) == [0, 1, 2]
    assert closed == [True, True]


def test_stopping_early_closes_the_generator() -> None:
    closed: list[bool] = []
    items = in_turn(numbers(closed))
    first = next(items)
    items.close()

    assert (first, closed) == (0, [True])


def test_an_error_in_the_generator_is_raised() -> None:
    async def fails() -> AsyncGenerator[int, None]:
        yield 1
        raise KeyError("mine")

    items = in_turn(fails())

    assert next(items) == 1
    with pytest.raises(KeyError, match="mine"):
        next(items)


def pids(spark: Any) -> set[int]:
    return set(spark.sparkContext.parallelize(range(4), 4).map(lambda _: os.getpid()).collect())


def test_killed_workers_are_gone_and_the_next_job_has_new_ones(spark: Any) -> None:
    before = pids(spark)
    assert before <= set(python_workers())

    assert kill_python_workers() >= len(before)

    after = pids(spark)
    assert not after & before
    assert after <= set(python_workers())
