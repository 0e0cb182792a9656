"""Ends the runner's process in the middle of a task, with an exit code that means success.

Stock nbgrader: no grade at all, and the teacher has to find out why.
"""

NAMED = "crashed"
COSTS = ["words"]
EVERY_LAB = True

import os


def leaves(*_, **__):
    os._exit(0)


globals()[TASK] = leaves
