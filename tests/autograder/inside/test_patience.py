"""Waiting ends when its condition holds or its time is over; after one timeout, later waits are short."""

import time

import pytest

from autograder.inside import patience as limits
from autograder.inside.patience import Patience, begin_case, limit_waits, patient, ran_out_s, wait_until


def seconds_of(patience: Patience, patience_s: float) -> float:
    began = time.monotonic()
    assert not patience.wait(lambda: False, patience_s)
    return time.monotonic() - began


def test_waiting_continues_until_the_condition_holds() -> None:
    looks = iter([False, False, True])
    pauses: list[int] = []

    assert wait_until(lambda: next(looks), 60.0, lambda: pauses.append(1))
    assert pauses == [1, 1]


def test_after_a_timeout_the_next_wait_is_short() -> None:
    patience = Patience(later_s=0.0)

    assert patience.wait(lambda: True, 0.0)
    assert seconds_of(patience, 0.5) >= 0.5
    assert seconds_of(patience, 60.0) < 30
    assert patience.wait(lambda: True, 60.0)


def test_it_never_waits_longer_than_its_limit() -> None:
    patience = Patience(later_s=60.0)

    seconds_of(patience, 0.0)

    assert seconds_of(patience, 0.0) < 30


def test_all_waits_of_a_process_can_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_longest_s", limits._longest_s)
    limit_waits(0.1)

    assert seconds_of(Patience(later_s=60.0), 60.0) < 30
    limit_waits(None)
    assert seconds_of(Patience(later_s=60.0), 0.5) >= 0.5


def test_the_longest_wait_of_a_case_without_its_effect_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    begin_case()
    wait_until(lambda: True, 5.0)
    assert ran_out_s() == 0.0

    wait_until(lambda: False, 0.02)
    wait_until(lambda: False, 0.01)
    assert ran_out_s() == 0.02

    with pytest.raises(TimeoutError), patient(0.5) as limit_s:
        raise TimeoutError(f"nothing came within {limit_s:g} s")
    with pytest.raises(ValueError, match="other"), patient(60.0):
        raise ValueError("other")
    assert ran_out_s() == 0.5

    begin_case()
    assert ran_out_s() == 0.0
