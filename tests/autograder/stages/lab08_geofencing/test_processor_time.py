"""A script's processor time is limited even if the script turns the timer off."""

import resource
import signal

import pytest

from autograder.stages.lab08_geofencing.indexes.drive_exact import TooSlow, processor_time


def used_s() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def without_its_timer(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    end_s = used_s() + seconds
    while used_s() < end_s:
        pass


def test_a_script_that_turns_its_timer_off_is_too_slow() -> None:
    with pytest.raises(TooSlow), processor_time(0.02):
        without_its_timer(0.05)


def test_a_script_within_its_time_goes_on() -> None:
    with processor_time(60.0):
        pass
