"""Measure the cost of a command and all its descendants: seconds, processor seconds, peak memory. Linux only.

The kernel's sum leaves out processes that no parent waits for, such as those of a killed sandbox. So each process is
also sampled several times a second. Both sums are lower bounds; the higher one is reported. Processes that outlive
their parent become children of this one (a child subreaper). Memory is the sum of proportional set sizes (PSS), or of
resident ones (RSS) where PSS cannot be read.
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
SAMPLE_EVERY_S = 0.1
MEMORY_EVERY = 4  # samples
STRAGGLERS_S = 20.0


@dataclass(frozen=True)
class Cost:
    """The cost of one run."""

    seconds: float
    cpu_s: float
    peak_mb: float

    def __str__(self) -> str:
        """Return the cost as text. Example: "15.2 s, 18.1 s of processor time, 812 MB"."""
        return f"{self.seconds:.1f} s, {self.cpu_s:.1f} s of processor time, {self.peak_mb:.0f} MB"


def cost_of(command: Sequence[str], cwd: Path, environment: Mapping[str, str], log: Path) -> Cost:
    """Run `command`, which must succeed, and return its cost; its output goes to `log`."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    sampler, ended = _Sampler(), threading.Event()
    sampling = threading.Thread(target=sampler.run_until, args=(ended,), daemon=True)
    before, began = _cpu_of_children_s(), time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
        sampling.start()
        code = process.wait()
    seconds = time.perf_counter() - began
    ended.set()
    sampling.join()
    _wait_for_stragglers()
    if code:
        raise RuntimeError(f"{' '.join(command)} exited with {code}:\n{log.read_text(errors='replace')[-3000:]}")
    return Cost(seconds, max(_cpu_of_children_s() - before, sampler.cpu_s), sampler.peak_mb)


class _Sampler:
    """Samples the processor time of every descendant of this process, and the peak memory of all together."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        self._cpu_s: dict[psutil.Process, float] = {}

    @property
    def cpu_s(self) -> float:
        """The processor time of all processes, each at its last sample."""
        return sum(self._cpu_s.values())

    def run_until(self, ended: threading.Event) -> None:
        """Take a sample every `SAMPLE_EVERY_S` until `ended` is set."""
        samples = 0
        while not ended.wait(SAMPLE_EVERY_S):
            tree = psutil.Process().children(recursive=True)
            for process in tree:
                with suppress(psutil.Error):
                    times = process.cpu_times()
                    self._cpu_s[process] = times.user + times.system
            if samples % MEMORY_EVERY == 0:
                self.peak_mb = max(self.peak_mb, sum(map(_memory_mb, tree)))
            samples += 1


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
    """Wait for the processes that outlived the command, so that their processor time counts."""
    deadline = time.monotonic() + STRAGGLERS_S
    while time.monotonic() < deadline:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            time.sleep(0.05)


def _cpu_of_children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
