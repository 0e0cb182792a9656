"""Finds the runner's own channel object among all objects, and sends events through it."""

NAMED = "gc.get_objects"
COSTS = ["words"]
EVERY_LAB = True

import gc

CHANNEL = next(each for each in gc.get_objects() if type(each).__name__ == "Channel")
CALLS_LEFT = [None] * 10  # forging at each of thousands of calls would fill the channel, which is another attack


def forges(*arguments):
    if not CALLS_LEFT:
        return str(arguments[0]).split(" ")
    CALLS_LEFT.pop()
    CHANNEL.send("loaded", errors=[], notes=["Marked by hand: full points."], seconds=0.0)
    for case in range(400):
        CHANNEL.send("rows", task=TASK, case=case, rows={"words": []}, seconds=0.0)
        CHANNEL.send("rows", task=TASK, case=case, rows={"words": []}, seconds=1e12)
    CHANNEL.send("done")
    return str(arguments[0]).split(" ")


globals()[TASK] = forges
