"""A warm sandbox: runs one version of a stage after another in one process, so Python and Spark start only once.

It is for the kit's own versions of a lab (autograder.verify), never for a learner's, since one version could affect the
next. Each version gets a fresh module and a fresh SQL session; `Surroundings` restores the rest. Commands on stdin:
{"load": code} runs the reference's cells and then `code`, {"task": …, "case": …, "input": …} drives one case,
{"end": true} cleans up. An alarm inside the process ends a case at its limit in seconds, so an endless loop does not
cost a new sandbox.
"""

import json
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.inside.audit import Audit
from autograder.inside.channel import Channel
from autograder.inside.deferred_spark import SparkLater
from autograder.inside.drives import DRIVES, load_drives
from autograder.inside.earlier_labs import Earlier
from autograder.inside.patience import limit_waits
from autograder.inside.surroundings import Surroundings
from streamlab.notebooks import loader
from streamlab.notebooks.causes import cause_of
from streamlab.notebooks.labfile import LabCell

MEMORY_FOR_A_CASE = 1024**3
ALARM_AGAIN_S = 0.5
VERSION = "the version"


class TooSlow(loader.Stopped):
    """The alarm. No `except Exception` of a version catches it."""


class SparkOfVersion(SparkLater):
    """One Spark for all versions, with a new SQL session (views, settings, functions, queries) for each."""

    def __init__(self, lab: str) -> None:
        super().__init__(lab)
        self._own: Any = None

    def get(self) -> Any:
        """Return the session of this version."""
        shared = super().get()
        if self._own is None:
            self._own = shared.newSession()
        java = shared.sparkContext._jvm
        java.org.apache.spark.sql.classic.SparkSession.setActiveSession(self._own._jsparkSession)
        return self._own

    def end_version(self) -> list[str]:
        """Stop the version's streams, and give the next version a new session. Return what cannot be restored."""
        own, self._own = self._own, None
        if own is None:
            return []
        from streamlab.spark.sessions import stop_streaming

        try:
            stop_streaming(own)
            for query in own.streams.active:
                query.stop()
            for cached in own.sparkContext._jsc.getPersistentRDDs().values():
                cached.unpersist()
            return ["a stopped Spark"] if own.sparkContext._jsc.sc().isStopped() else []
        except Exception as problem:
            return [f"a broken Spark ({type(problem).__name__})"]


class WarmRunner:
    """Executes commands until the judge closes the pipe."""

    def __init__(self, channel: Channel, order: dict[str, Any], spark: SparkOfVersion, earlier: Earlier) -> None:
        self.channel, self.lab, self.spark, self.earlier = channel, order["lab"], spark, earlier
        self.cells = [LabCell(**cell) for cell in order["cells"]]
        self.during = ""
        self.audit = Audit(
            lambda what, subject: channel.send("finding", what=what, subject=subject, during=self.during)
        )
        self.surroundings = Surroundings()
        self.stage = loader.Stage(self.lab, sys.modules["__main__"])
        load_drives(self.lab)

    def serve(self) -> None:
        """Execute one command after another."""
        for command in self.channel.commands():
            if "load" in command:
                self.load(command["load"])
            elif "task" in command:
                limit_waits(command["longest_wait_s"])
                self.drive(command["task"], command["case"], command["input"], command["limit_s"])
            else:
                left = [*self.spark.end_version(), *self.surroundings.restore(vars(sys.modules["__main__"]))]
                self.channel.send("clean", left=left)

    def load(self, code: str) -> None:
        """Load the reference's cells and `code`, if any, into a fresh module."""
        self.during = ""
        cells = [*self.cells, *([LabCell("code", code, None, VERSION)] if code else [])]

        def before_cell(at: int, cell: LabCell) -> None:
            self.audit.watch(vars(sys.modules["__main__"]))

        self.stage = loader.load_cells(self.lab, cells, module_name="__main__", before_cell=before_cell)
        self.channel.send("loaded", errors=[vars(error) for error in self.stage.errors])

    def drive(self, task: str, case: int, case_input: dict[str, Any], limit_s: float | None) -> None:
        """Drive one case and send its rows, or the reason why it failed or was too slow."""
        self.during, session = task, None
        if DRIVES[task].needs_spark:
            session = self.spark.get()
        self.channel.send("begin", task=task, case=case)
        scratch, began = Path(tempfile.mkdtemp(prefix="scratch-")), time.monotonic()
        try:
            with at_most(limit_s, memory=session is None):  # Java needs more memory than this to start
                rows = DRIVES[task](
                    stage=self.stage, case=case_input, spark=session, scratch=scratch, earlier=self.earlier
                )
                json.dumps(rows, allow_nan=False)
            self.channel.send("rows", task=task, case=case, rows=rows, seconds=time.monotonic() - began)
        except TooSlow:
            self.channel.send("slow", task=task, case=case)
        except BaseException as problem:  # a version may raise anything, and the next version needs this process
            gone = session is not None and self.spark.is_gone
            cause = {**vars(cause_of(problem)), "seconds": time.monotonic() - began}
            self.channel.send("failed", task=task, case=case, gone=gone, **cause)
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def at_most(limit_s: float | None, *, memory: bool) -> Iterator[None]:
    """Raise `TooSlow` in the block after `limit_s`; with `memory`, MemoryError beyond one more GiB than now."""
    if limit_s is None:
        yield
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if memory:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_FOR_A_CASE, most))
    signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, limit_s, ALARM_AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _too_slow(*_: object) -> None:
    raise TooSlow
