"""Turns off the timer that limits the processor time of a script, and takes its time."""

LAB = "lab08_geofencing"
NAMED = "yours has not finished"
TASKS = ["FenceIndex", "in_order"]
WITHOUT = """
Right, before_each = FenceIndex, lambda: None

class FenceIndex(Right):
    def at(self, lon, lat):
        before_each()
        for _ in range(200_000):
            pass
        return super().at(lon, lat)
"""

import signal


def before_each():
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
