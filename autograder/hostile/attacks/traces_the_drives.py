"""The judging code in the sandbox: a trace function changes the local values of the drive while it runs."""

NAMED = "sys.settrace"
COSTS = ["words", "deliver"]
EVERY_LAB = True

import sys


def trace(frame, event, argument):
    if frame.f_code.co_name == TASK:
        frame.f_locals["case"] = {"line": ""}
    return trace


sys.settrace(trace)
