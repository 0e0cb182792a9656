"""The oracles of GuardedStore and repair against the traces of the lab's text, and the drive's doubles."""

from types import SimpleNamespace
from typing import Any

import pytest

from autograder.inside import DRIVES, load_drives
from autograder.stages.lab09_system.degraded import cases, checks, oracle

A = ["ann"]


def states(trips: int, rest_s: float, *script: list[Any]) -> list[Any]:
    case = {"trips": trips, "rest_s": rest_s, "rows": {"ann": "300"}, "script": list(script)}
    return [step if isinstance(step, str) else len(step["asked"]) for step in oracle.steps(case)]


def test_the_breaker_opens_rests_tries_once_and_closes() -> None:
    fails = [[0, A, "fails"], [1, A, "fails"], [2, A, "answers"], [5.875, "state"], [6, "state"], [6, A, "fails"]]
    again = [[10.875, "state"], [11, A, "answers"], [11, "state"], [12, A, "fails"], [12, "state"]]

    found = states(2, 5, *fails, *again)

    assert found == [1, 1, 0, "open", "half-open", 1, "open", 1, "closed", 1, "closed"]


def test_a_rest_begins_when_the_error_comes() -> None:
    assert states(1, 5, [0, A, "fails", 30], [34, "state"], [35, "state"]) == [1, "open", "half-open"]


def test_without_keys_nobody_is_asked_and_nothing_is_decided() -> None:
    assert states(1, 5, [0, A, "fails"], [5, [], "answers"], [5, "state"]) == [1, 0, "half-open"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["UNDECIDED"], ["SPENT"]),
        (["UNDECIDED", "UNDECIDED"], ["SPENT"]),
        (["UNDECIDED", "CLEARED"], []),
        (["SPENT", "UNDECIDED"], []),  # a decision counts wherever it stands
        (["AWAY", "UNDECIDED"], ["SPENT"]),
        (["AWAY"], []),
    ],
)
def test_a_window_is_decided_once(rows: list[str], expected: list[str]) -> None:
    log = [[kind, "ann", "10000", 9999, 301] for kind in rows]
    case = {"log": log, "limits": {"ann": "300"}, "silent": [], "most": 1}

    decided = oracle.decided(case)

    assert decided is not None
    assert [row[0] for row in decided] == expected


def test_the_first_row_of_a_window_is_decided() -> None:
    rows = [["UNDECIDED", "ann", "10000", 9999, cents] for cents in (301, 1)]

    assert oracle.decided({"log": rows, "limits": {"ann": "300"}, "silent": [], "most": 1}) == [["SPENT", *rows[0][1:]]]


def test_a_message_writes_no_answer_as_a_name() -> None:
    case = cases.answering("a seed")[0]
    claim = next(each for each in checks.CLAIMS if each.name == checks.ANSWERS)

    wrong = claim.judge(case, {"steps": [{"answer": {"ann": "300", "joe": None}}, {"answer": {"ann": None}}]})

    assert wrong
    assert 'to return {"ann": NO_ANSWER, "joe": NO_ANSWER}; yours returns {"ann": None}.' in wrong.sentence


def test_the_cache_in_front_of_the_breaker_keeps_nothing_that_had_no_answer() -> None:
    load_drives("lab09_system")
    case = cases.remembered("a seed")[0]

    class Unguarded:
        """Passes each call to the store, and names unknown keys; its errors pass, too."""

        state = "closed"

        def __init__(self, store: Any, *_: Any) -> None:
            self.get_many = lambda keys: dict.fromkeys(keys) | store.get_many(keys)

    class Forgets:
        def __init__(self, *_: Any) -> None: ...
        def get(self, _: Any, default: Any) -> Any:
            return default

        def put(self, *_: Any) -> None: ...

    stage = SimpleNamespace(GuardedStore=Unguarded)
    rows = DRIVES["GuardedStore"](stage=stage, case=case, earlier=lambda _: SimpleNamespace(LruCache=Forgets))

    assert rows["steps"][:3] == [
        {"answer": {"ann": "300"}, "asked": [["ann"]]},
        {"answer": {"ann": "300", "joe": None}, "asked": [["ann", "joe"]]},
        {"answer": "raises StoreError", "asked": [["ann", "joe"]]},
    ]
