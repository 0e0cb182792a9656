"""The objects of a script are limited, whatever its speed, and also if it turns its timer off."""

import signal

import pytest

from autograder.stages.lab08_geofencing.indexes.drive_exact import TooManyObjects, few_objects


def keep_for_ever() -> None:
    kept = list[object]()
    while True:
        kept.append(object())


def test_a_call_that_does_not_end_is_stopped_by_its_objects() -> None:
    with pytest.raises(TooManyObjects), few_objects(10_000):
        keep_for_ever()


def test_a_script_that_turns_its_timer_off_is_counted_after_each_call() -> None:
    with few_objects(10_000) as count:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        kept = [object() for _ in range(20_000)]
        with pytest.raises(TooManyObjects):
            count()

    assert len(kept) == 20_000


def test_a_slow_script_with_few_objects_goes_on() -> None:
    with few_objects(10_000) as count:
        for _ in range(300):
            sum(range(50_000))
            count()
