"""Fills the machine's process table: each process forks for as long as it can.

Stock nbgrader: the forks continue after grading.
"""

NAMED = "started another process"
COSTS = ["words"]

import os


def words(line):
    while True:
        try:
            os.fork()
        except OSError:
            pass
