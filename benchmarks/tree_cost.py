"""What a command costs with everything that it starts: seconds, processor seconds, peak memory. Linux only.

The kernel's own sum leaves out what nobody waits for, as the processes of a sandbox that is killed; so each process is
also looked at several times a second. Both are lower bounds, and the higher one is given. Processes that outlive their
parent come to this one (as a child subreaper). Memory is the sum of proportional set sizes (PSS), or of resident ones
(RSS) where those cannot be read.
"""

import ctypes
import os
import resource
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

PR_SET_CHILD_SUBREAPER = 36
LOOK_EVERY_S = 0.1
MEMORY_EVERY = 4  # looks
STRAGGLERS_S = 20.0


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    seconds: float
    cpu_s: float
    peak_mb: float

    def __str__(self) -> str:
        """Example: "15.2 s, 18.1 s of processor time, 812 MB"."""
        return f"{self.seconds:.1f} s, {self.cpu_s:.1f} s of processor time, {self.peak_mb:.0f} MB"


def cost_of(command: Sequence[str], cwd: Path, environment: Mapping[str, str], log: Path) -> Cost:
    """Run `command`, which must succeed; its output goes to `log`."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    watch, ended = _Watch(), threading.Event()
    watching = threading.Thread(target=watch.until, args=(ended,), daemon=True)
    before, began = _cpu_of_children_s(), time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
        watching.start()
        code = process.wait()
    seconds = time.perf_counter() - began
    ended.set()
    watching.join()
    _wait_for_stragglers()
    if code:
        raise RuntimeError(f"{' '.join(command)} ended with {code}:\n{log.read_text(errors='replace')[-3000:]}")
    return Cost(seconds, max(_cpu_of_children_s() - before, watch.cpu_s), watch.peak_mb)


class _Watch:
    """The processor time that was seen of every process below this one, and the most memory of all together."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._cpu_s: dict[psutil.Process, float] = {}

    @property
    def cpu_s(self) -> float:
        """Of all processes, each as it was seen last."""
        return sum(self._cpu_s.values())

    def until(self, ended: threading.Event) -> None:
        """Look every now and then, until it has ended."""
        looks = 0
        while not ended.wait(LOOK_EVERY_S):
            tree = psutil.Process().children(recursive=True)
            for process in tree:
                with suppress(psutil.Error):
                    times = process.cpu_times()
                    self._cpu_s[process] = times.user + times.system
            if looks % MEMORY_EVERY == 0:
                self.peak_mb = max(self.peak_mb, sum(map(_memory_mb, tree)))
            looks += 1


def _memory_mb(process: psutil.Process) -> float:
    try:
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    try:
        return float(process.memory_info().rss) / 1024**2
    except psutil.Error:
        return 0.0


def _wait_for_stragglers() -> None:
    """Take in what outlived the command, so that its processor time counts."""
    deadline = time.monotonic() + STRAGGLERS_S
    while time.monotonic() < deadline:
        try:
            found, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not found:
            time.sleep(0.05)


def _cpu_of_children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
