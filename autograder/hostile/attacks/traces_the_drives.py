"""Sets a trace function that changes the local variables of the drive while it runs."""

NAMED = "sys.settrace"
COSTS = ["words", "deliver"]
EVERY_LAB = True

import sys


def trace(frame, event, argument):
    if frame.f_code.co_name == TASK:
        frame.f_locals["case"] = {"line": ""}
    return trace


sys.settrace(trace)
