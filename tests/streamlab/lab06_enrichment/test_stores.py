"""Distance adds its round-trip time to each call and changes no answer."""

import asyncio

import pytest

from streamlab.lab06_enrichment import Key
from streamlab.lab06_enrichment.stores import AsyncDistant, Distant
from streamlab.lab06_enrichment.stores_in_memory import AsyncMemoryStore, MemoryStore
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
