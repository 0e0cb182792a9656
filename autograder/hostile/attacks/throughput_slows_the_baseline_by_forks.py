"""Slows the baseline in the throughput check: processes that fork faster than they can be listed work in its turn."""

NAMED = "started another process: os.fork"
TASKS = ["count_words"]
THROUGHPUT = True

import os
import time

if os.fork() == 0:
    os.setsid()
    while True:
        until = time.monotonic() + 0.002
        while time.monotonic() < until:
            pass
        try:
            if os.fork():
                os._exit(0)
        except OSError:
            pass
