"""Uses up the time for the whole notebook: the task answers each case just before its limit."""

NAMED = "its share of the time"
COSTS = ["words"]

import time


def words(line):
    time.sleep(3)
    return line.split(" ")
