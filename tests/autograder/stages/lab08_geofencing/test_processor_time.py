"""A script's processor time is limited even if the script turns the timer off."""

import resource
import signal

import pytest

from autograder.stages.lab08_geofencing.indexes.drive_exact import TooSlow, processor_time


def used_s() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def test_a_script_that_turns_its_timer_off_is_too_slow() -> None:
    with pytest.raises(TooSlow), processor_time(0.02):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        end_s = used_s() + 0.05
        while used_s() < end_s:
            pass


def test_a_script_within_its_time_goes_on() -> None:
    with processor_time(60.0):
        pass
