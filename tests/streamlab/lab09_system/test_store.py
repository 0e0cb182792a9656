"""A worker's store remembers limits while its breaker is open, and a look into the store says how it fails."""

from collections.abc import Collection
from pathlib import Path

import pytest

from streamlab.lab06_enrichment import NO_ANSWER, StoreError
from streamlab.lab09_system import store
from streamlab.lab09_system.live.workers import workers_of
from streamlab.lab09_system.store import QUICK_MS, TIME_OUT_S, Answer, load, probe
from streamlab.services import running
from tests.autograder.stages.driven_reference import reference


class Rows:
    is_down = False

    def __init__(self, address: str) -> None:
        pass

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        if Rows.is_down:
            raise StoreError("no answer in time")
        return {"ann": "300"} if "ann" in keys else {}


def test_an_open_breaker_does_not_hide_cached_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "ValkeyRows", Rows)
    guarded, cache = reference("lab09_system").GuardedStore, reference("lab06_enrichment").LruCache
    opened = store.store_opener("nowhere:1", guarded, cache, tmp_path, ttl_s=3600)()
    before = opened.get_many(["ann", "joe"])
    monkeypatch.setattr(Rows, "is_down", True)
    answers = [opened.get_many(["ann", "joe", "bob"]) for _ in range(store.TRIPS + 1)]

    assert before == {"ann": "300", "joe": None}
    assert answers == [{"ann": "300", "joe": None, "bob": NO_ANSWER}] * (store.TRIPS + 1)
    (noted,) = workers_of(tmp_path).values()
    assert (noted.hits, noted.misses, noted.breaker) == (2 * (store.TRIPS + 1), 2 + store.TRIPS + 1, "open")
    assert (noted.calls, noted.errors) == (1 + store.TRIPS, store.TRIPS)


def test_a_stopped_store_is_late_and_one_that_is_empty_or_killed_fails() -> None:
    with running("redis") as store:
        _, empty = probe(store.address)
        load(store.address, {"ann": 300})
        usual_ms, loaded = probe(store.address)
        store.pause()
        late_ms, stopped = probe(store.address)
        store.kill()
        _, killed = probe(store.address)

    assert (empty, loaded, stopped, killed) == (Answer.FAILS, Answer.ANSWERS, Answer.LATE, Answer.FAILS)
    assert usual_ms >= QUICK_MS
    assert late_ms >= 1000 * TIME_OUT_S >= 10 * QUICK_MS
