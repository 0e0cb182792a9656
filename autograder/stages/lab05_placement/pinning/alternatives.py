"""Other right solutions of `pin`; each must get full marks."""

import os
from pathlib import Path

from autograder.checks.mutant_markers import alternative


# Repeats for all threads until each one reports that it is pinned.
@alternative("until_every_thread_says_so")
def pin(pid, cores):
    wanted = set(cores)
    if not wanted or wanted - os.sched_getaffinity(os.getpid()):
        raise ValueError(f"cores {wanted}")
    threads = Path("/proc") / str(pid) / "task"
    while True:
        open_ones = [int(each.name) for each in threads.iterdir() if os.sched_getaffinity(int(each.name)) != wanted]
        if not open_ones:
            break
        for thread in open_ones:
            os.sched_setaffinity(thread, wanted)
    for line in (threads.parent / "status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "Cpus_allowed_list":
            return cpus(value.strip())
