"""Stores in memory answer from their rows and count what was asked."""

import asyncio

import pytest

from streamlab.enrichment import Key, StoreError
from streamlab.enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore, never_answers
from streamlab.enrichment.virtual_time import run_virtually

A, B, C = (Key("device", "ann", name) for name in "abc")


def test_the_blocking_one_sees_rows_as_they_are_and_notes_each_call_and_its_time() -> None:
    rows = {A: "1"}
    store = MemoryStore(rows, distance_s=0.5)

    before = store.get(B)
    rows[B] = ""
    after = store.get_many([B, A, C])

    assert (before, after) == (None, {A: "1", B: ""})
    assert store.calls == [[B], [B, A, C]]
    assert store.now_s == 1.0


def test_the_other_one_notes_what_is_open_at_once_and_what_is_cancelled() -> None:
    store = AsyncMemoryStore({A: "1"}, distance_s=lambda key: 9.0 if key == C else 1.0)

    async def ask() -> list[object]:
        slow = asyncio.create_task(store.get(C))
        answers = await asyncio.gather(store.get(A), store.get(B))
        slow.cancel()
        return answers

    answers, took_s = run_virtually(ask())

    assert (answers, took_s) == (["1", None], 1.0)
    assert (store.most_in_flight, store.in_flight, store.cancelled) == (3, 0, 1)
    assert store.calls == [[A], [B], [C]] or store.calls == [[C], [A], [B]]


def test_a_failure_comes_after_the_calls_time() -> None:
    async def ask() -> float:
        with pytest.raises(StoreError, match="no node holds"):
            await AsyncMemoryStore({}, fails=never_answers).get(A)
        return asyncio.get_running_loop().time()

    assert run_virtually(ask())[0] == 0.001
