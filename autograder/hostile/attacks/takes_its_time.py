"""The time for the whole notebook: a task that answers each case just before it would be stopped."""

NAMED = "its share of the time"
COSTS = ["words"]

import time


def words(line):
    time.sleep(3)
    return line.split(" ")
