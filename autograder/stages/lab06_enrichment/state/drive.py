"""Drives `enrich_from_state` with calls, each with the state of the previous one, or as the step of a Spark query.

The Python workers of the query are killed.
"""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab06_enrichment.state.drive_query import answers_of_query
from streamlab.lab06_enrichment import AccountState, Change, Enriched, Key, Transaction, Version


@drive("enrich_from_state")
def enrich_from_state(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the results of each call, and the answers of a query whose workers are killed between files."""
    step = stage.enrich_from_state
    calls = _called(step, case["calls"])
    if "files" not in case or "returned" in calls:
        return calls
    return calls | answers_of_query(step, spark, case["files"], scratch)


def _called(step: Any, calls: list[Any]) -> Rows:
    state, done = AccountState({}, []), []
    for call in calls:
        before = state.to_json()
        given = step(state, [arrived_of(each) for each in call["arrived"]], call["watermark_ms"])
        if not (isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], AccountState)):
            return {"returned": type_name(given)}
        unchanged = state.to_json() == before
        state, answers = AccountState.from_json(given[0].to_json()), list(given[1])
        done.append({"answers": [_answer(each) for each in answers], "unchanged": unchanged, **_kept(state)})
    return {"calls": done}


def arrived_of(row: list[Any]) -> Transaction | Change:
    """Return ["t", …] as a transaction, and ["c", kind, account, item, at_ms, seq, row] as a change."""
    kind, *rest = row
    return Transaction(*rest) if kind == "t" else Change(Key(*rest[:3]), Version(*rest[3:]))


def _answer(each: Any) -> Any:
    if not isinstance(each, Enriched):
        return type_name(each)
    return [each.transaction.id, plain(list(each.rows)), plain(list(each.flags))]


def _kept(state: AccountState) -> Rows:
    """Return the versions of each key and the ids of waiting transactions, both sorted."""
    versions = [[list(key), sorted((list(each) for each in kept), key=str)] for key, kept in state.versions.items()]
    return {"versions": sorted(versions, key=str), "waiting": sorted(each.id for each in state.waiting)}
