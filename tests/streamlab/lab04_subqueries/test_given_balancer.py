"""A later lab can use the given `balancer` whether or not Lab 4's `bucket_of` is written."""

from pathlib import Path

import pytest

import streamlab
from streamlab.lab04_subqueries.engine import Plan
from streamlab.notebooks import stages

LAB = "lab04_subqueries"


def test_the_given_balancer_falls_back_with_the_task_it_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(streamlab), "session", lambda *_, **__: None)
    monkeypatch.setenv("STREAMLAB_EARLIER", str(tmp_path))
    messages: list[str] = []
    by_key = stages.stage(LAB, messages.append).balancer(Plan("route key", ("ip",)), 2, [0, 1])

    assert list(by_key({"ip": "a"})) in ([0], [1])
    assert len(messages) == 1
    assert "bucket_of is not written yet. The reference solution is used instead." in messages[0]
