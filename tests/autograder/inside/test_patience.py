"""Waiting ends when something comes or patience does, and patience is short once it was lost."""

import time

from autograder.inside.patience import Patience, wait_until


def seconds_of(patience: Patience, patience_s: float) -> float:
    began = time.monotonic()
    assert not patience.wait(lambda: False, patience_s)
    return time.monotonic() - began


def test_what_comes_is_waited_for() -> None:
    looks = iter([False, False, True])
    pauses: list[int] = []

    assert wait_until(lambda: next(looks), 60.0, lambda: pauses.append(1))
    assert pauses == [1, 1]


def test_once_something_has_not_come_the_next_waiting_is_short() -> None:
    patience = Patience(later_s=0.0)

    assert patience.wait(lambda: True, 0.0)
    assert seconds_of(patience, 0.5) >= 0.5
    assert seconds_of(patience, 60.0) < 30
    assert patience.wait(lambda: True, 60.0)


def test_it_never_waits_longer_than_it_is_told() -> None:
    patience = Patience(later_s=60.0)

    seconds_of(patience, 0.0)

    assert seconds_of(patience, 0.0) < 30
