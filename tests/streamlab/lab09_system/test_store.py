"""A worker's store remembers limits while the breaker behind its cache is open."""

import json
from collections.abc import Collection
from pathlib import Path

import pytest

from streamlab.lab06_enrichment import NO_ANSWER, StoreError
from streamlab.lab09_system import store
from tests.autograder.stages.driven_reference import reference


class Rows:
    """A store that knows ann, until it is down."""

    is_down = False

    def __init__(self, address: str) -> None:
        pass

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        if Rows.is_down:
            raise StoreError("no answer in time")
        return {"ann": "300"} if "ann" in keys else {}


def test_an_open_breaker_does_not_hide_what_the_cache_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ValkeyRows", Rows)
    guarded, cache = reference("lab09_system").GuardedStore, reference("lab06_enrichment").LruCache
    opened = store.store_opener("nowhere:1", guarded, cache, tmp_path, ttl_s=3600)()

    before = opened.get_many(["ann", "joe"])
    monkeypatch.setattr(Rows, "is_down", True)
    answers = [opened.get_many(["ann", "joe", "bob"]) for _ in range(store.TRIPS + 1)]

    assert before == {"ann": "300", "joe": None}
    assert answers == [{"ann": "300", "joe": None, "bob": NO_ANSWER}] * (store.TRIPS + 1)
    (noted,) = (tmp_path / "workers").glob("*.json")
    assert json.loads(noted.read_text()) == {
        "hits": 2 * (store.TRIPS + 1),
        "misses": 2 + store.TRIPS + 1,
        "breaker": "open",
    }
