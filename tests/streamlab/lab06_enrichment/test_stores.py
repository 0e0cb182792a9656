"""Distance adds a round trip to each call and changes no answer; stores in memory record their calls."""

import asyncio

import pytest

from streamlab.lab06_enrichment import Key, StoreError
from streamlab.lab06_enrichment.stores import AsyncDistant, Distant
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore, never_answers
from streamlab.lab06_enrichment.virtual_time import run_virtually

KNOWN, UNKNOWN = Key("device", "ann", "phone"), Key("device", "ann", "watch")
ROWS = {KNOWN: ""}


def test_each_call_takes_one_round_trip_for_any_number_of_keys() -> None:
    waits: list[float] = []
    store = Distant(MemoryStore(ROWS), 0.005, sleep=waits.append)
    answers = store.get(KNOWN), store.get(UNKNOWN), store.get_many([KNOWN, UNKNOWN])

    assert answers == ("", None, {KNOWN: ""})
    assert waits == [0.005] * 3


def test_non_blocking_calls_overlap() -> None:
    async def three() -> list[object]:
        store = AsyncDistant(AsyncMemoryStore(ROWS), 0.005)
        return await asyncio.gather(store.get(KNOWN), store.get(UNKNOWN), store.get_many([KNOWN, UNKNOWN]))

    answers, took_s = run_virtually(three())

    assert answers == ["", None, {KNOWN: ""}]
    assert took_s == pytest.approx(0.006)


def test_no_call_waits_without_a_distance() -> None:
    waits: list[float] = []
    Distant(MemoryStore(ROWS), 0.0, sleep=waits.append).get(KNOWN)

    assert waits == []


@pytest.mark.parametrize("distance_s", [-0.001, float("nan")])
@pytest.mark.parametrize("kind", [Distant, AsyncDistant])
def test_a_negative_distance_is_rejected(kind: type, distance_s: float) -> None:
    with pytest.raises(ValueError, match="distance_s must be 0 or more"):
        kind(MemoryStore(ROWS), distance_s)


A, B, C = (Key("device", "ann", name) for name in "abc")


def test_the_blocking_store_reads_current_rows_and_records_each_call_and_its_time() -> None:
    rows = {A: "1"}
    store = MemoryStore(rows, distance_s=0.5)
    before = store.get(B)
    rows[B] = ""
    after = store.get_many([B, A, C])

    assert (before, after) == (None, {A: "1", B: ""})
    assert store.calls == [[B], [B, A, C]]
    assert store.now_s == 1.0


def test_the_async_store_counts_calls_in_flight_and_cancelled_calls() -> None:
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


def test_a_failure_is_raised_after_the_duration_of_the_call() -> None:
    async def ask() -> float:
        with pytest.raises(StoreError, match="no node holds"):
            await AsyncMemoryStore({}, fails=never_answers).get(A)
        return asyncio.get_running_loop().time()

    assert run_virtually(ask())[0] == 0.001
