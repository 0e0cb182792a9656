"""Drives `GuardedStore` with a scripted store, alone or behind Lab 6's cache, and `repair` with a log."""

from collections.abc import Collection
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.lab09_system import NO_ANSWER, Alert, StoreError
from streamlab.lab09_system.store import CachedStore


class ScriptedStore:
    """A store whose next call has the given fate and takes its time; `asked` has the sorted keys of each call."""

    def __init__(self, rows: dict[str, str]) -> None:
        self.rows, self.now_s, self.fate, self.takes_s = rows, 0.0, "answers", 0.0
        self.asked: list[list[str]] = []

    def get_many(self, keys: Collection[str]) -> dict[str, str]:
        """Return the rows of known keys, or raise what the script wants."""
        self.asked.append(sorted(set(keys)))
        self.now_s += self.takes_s
        if self.fate == "answers":
            return {key: self.rows[key] for key in self.asked[-1] if key in self.rows}
        raise StoreError("the store is down") if self.fate == "fails" else RuntimeError("the store has a bug")


@drive("GuardedStore")
def guarded_store(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return for each step the state, or the answer and the keys of the calls to the store."""
    return or_rejected(lambda: _played(stage, case, earlier))


def _played(stage: Any, case: Any, earlier: Any) -> Rows:
    store = ScriptedStore(case["rows"])
    guard = stage.GuardedStore(store, case["trips"], float(case["rest_s"]), lambda: store.now_s)
    asks = guard
    if "ttl_s" in case:
        cache = earlier("lab06_enrichment").LruCache(case["entries"], case["ttl_s"], lambda: store.now_s)
        asks = CachedStore(guard, cache)
    steps = []
    for now_s, keys, *fate in case["script"]:
        store.now_s = now_s
        steps.append(plain(guard.state) if keys == "state" else _asked(asks, store, keys, *fate))
    return {"steps": steps}


def _asked(asks: Any, store: ScriptedStore, keys: list[str], fate: str, takes_s: float = 0.0) -> Rows:
    store.fate, store.takes_s, before = fate, takes_s, len(store.asked)
    try:
        answer = plain(asks.get_many(list(keys)))
    except RuntimeError as problem:
        answer = f"raises {type(problem).__name__}"
    return {"answer": answer, "asked": store.asked[before:]}


class Limits:
    """The rows of accounts; of the accounts in `silent` it has no answer."""

    def __init__(self, rows: dict[str, str], silent: list[str]) -> None:
        self._rows, self._silent = rows, silent
        self.asked: list[list[str]] = []

    def get_many(self, accounts: Collection[str]) -> dict[str, Any]:
        """Return a row, None or NO_ANSWER for each account."""
        wanted = sorted(set(accounts))
        self.asked += [wanted] if wanted else []
        return {name: NO_ANSWER if name in self._silent else self._rows.get(name) for name in wanted}


@drive("repair")
def repair(stage: Any, case: Any) -> Rows:
    """Return the decisions, and the accounts of each call to the store."""
    limits = Limits(case["limits"], case["silent"])
    log = [Alert(*each) for each in case["log"]]
    return or_rejected(lambda: {"decided": plain(stage.repair(log, limits, case["most"])), "asked": limits.asked})
