"""What a worker keeps it makes once; async results come one by one, also under a running loop."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from streamlab.enrichment.in_workers import in_turn, per_worker


def test_a_name_is_made_once_in_a_process() -> None:
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


def test_items_come_in_turn_without_a_loop_and_under_one() -> None:
    closed: list[bool] = []

    async def in_a_notebook() -> list[int]:
        return list(in_turn(numbers(closed)))

    assert list(in_turn(numbers(closed))) == [0, 1, 2]
    assert asyncio.run(in_a_notebook()) == [0, 1, 2]
    assert closed == [True, True]


def test_one_who_stops_early_closes_the_generator() -> None:
    closed: list[bool] = []
    items = in_turn(numbers(closed))

    first = next(items)
    items.close()

    assert (first, closed) == (0, [True])


def test_an_error_of_the_generator_is_raised() -> None:
    async def fails() -> AsyncGenerator[int, None]:
        yield 1
        raise KeyError("mine")

    items = in_turn(fails())

    assert next(items) == 1
    with pytest.raises(KeyError, match="mine"):
        next(items)
