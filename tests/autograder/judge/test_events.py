"""Only events that the runner would send at that moment are believed."""

from typing import Any

import pytest

from autograder.judge.events import Claims

TOKEN = "the token"
ASKED = [("double", 0), ("double", 1)]
LOADED = {"event": "loaded", "seconds": 0.0}


def claims(*so_far: dict[str, Any]) -> Claims:
    new_claims = Claims(TOKEN, ASKED)
    for each in so_far:
        assert new_claims.believes({"token": TOKEN, **each})
    return new_claims


def begin(case: int = 0, task: str = "double") -> dict[str, Any]:
    return {"event": "begin", "task": task, "case": case}


def rows(case: int = 0, **content: Any) -> dict[str, Any]:
    return {"event": "rows", "task": "double", "case": case, "rows": {}, "seconds": 0.0, **content}


def test_all_events_of_a_run_are_believed() -> None:
    run = [{"event": "cell", "at": 0}, {"event": "cell", "at": 2}, LOADED, begin(), rows(), {"event": "wait"}]
    end = [{"event": "spark", "seconds": 1.0}, begin(1), {**rows(1), "event": "failed"}, {"event": "done"}]

    assert claims(*run, *end).not_believed == 0


@pytest.mark.parametrize(
    ("so_far", "forged"),
    [
        ([LOADED], {**begin(), "token": "another"}),
        ([LOADED], {**begin(), "token": None}),
        ([LOADED], rows()),
        ([LOADED, begin(0)], rows(1)),
        ([LOADED, begin(0), rows(0)], rows(0)),
        ([LOADED, begin(0), rows(0)], begin(0)),
        ([LOADED, begin(0)], begin(1)),
        ([LOADED], begin(7)),
        ([LOADED], begin(0, "triple")),
        ([LOADED], {"event": "begin", "task": "double", "case": True}),
        ([LOADED, begin()], rows(seconds=1e12)),
        ([LOADED, begin()], rows(seconds=10**400)),
        ([LOADED, begin()], rows(seconds=-1)),
        ([LOADED, begin()], rows(seconds="0")),
        ([LOADED, begin()], rows(seconds=None)),
        ([LOADED, begin()], {"event": "wait"}),
        ([LOADED, begin()], {"event": "done"}),
        ([LOADED], LOADED),
        ([LOADED], {"event": "cell", "at": 3}),
        ([{"event": "cell", "at": 3}], {"event": "cell", "at": 3}),
        ([], {"event": "cell", "at": "0"}),
        ([], begin()),
        ([LOADED], {"event": "verdict", "points": 100}),
    ],
)
def test_an_event_that_the_runner_would_not_send_now_is_not_believed(
    so_far: list[dict[str, Any]], forged: dict[str, Any]
) -> None:
    checker = claims(*so_far)

    assert not checker.believes({"token": TOKEN, **forged})
    assert checker.not_believed == 1


def test_the_ready_event_without_a_token_is_neither_believed_nor_counted() -> None:
    checker = claims()

    assert not checker.believes({"event": "ready", "token": ""})
    assert checker.not_believed == 0


def test_a_turn_of_a_throughput_check_is_believed_only_after_it_was_requested() -> None:
    checker = claims(LOADED, {"event": "at_the_start"})

    early = checker.believes({"token": TOKEN, **begin(5, "double.throughput")})
    checker.ask("double.throughput", 5)

    assert not early
    assert checker.believes({"token": TOKEN, **begin(5, "double.throughput")})
