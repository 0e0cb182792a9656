"""Cheats the clock of the throughput check: a thread writes the result of each turn before the turn begins."""

NAMED = "result channel"
TASKS = ["count_words"]
THROUGHPUT = True

import json
import threading
import time


def write():
    while True:
        for turn in range(20):
            event = {"event": "rows", "task": "count_words.throughput", "case": turn, "seconds": 0.0}
            rows = {"counts": [], "jobs_when_called": 0}
            write_to_every_pipe(json.dumps({**event, "rows": rows}).encode() + b"\n")
        time.sleep(0.5)


threading.Thread(target=write, daemon=True).start()
