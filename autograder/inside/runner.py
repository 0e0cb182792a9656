"""The program inside the sandbox: it loads a stage, drives it case by case and sends rows.

It receives cells and cases, never an expected answer. Jobs that need no Spark go first, while Spark starts.
A case that fails is an event, and the run continues; the judge ends a case that does not end by itself.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from autograder.inside import patience
from autograder.inside.audit import Audit
from autograder.inside.calls import Peer, serve
from autograder.inside.channel import Channel
from autograder.inside.deferred_spark import DeferredSession, SparkLater
from autograder.inside.drives import DRIVES, Drive, load_drives
from autograder.inside.earlier_labs import Earlier
from autograder.inside.seal import Seal
from streamlab.notebooks import loader
from streamlab.notebooks.causes import cause_of
from streamlab.notebooks.labfile import LabCell
from streamlab.spark.jvm import CONNECTORS

SPARK_IS_GONE = 3


class Runner:
    """Runs one submission in one process."""

    def __init__(self, channel: Channel, order: dict[str, Any]) -> None:
        self.channel, self.order, self.lab = channel, order, order["lab"]
        load_drives(self.lab)
        if "kafka" in order.get("services", []):
            os.environ[CONNECTORS] = "kafka"
        self.spark = SparkLater(self.lab)
        peer = Peer(channel, _no_task, shows=lambda value: True)
        self.earlier = Earlier(order.get("earlier", {}), order.get("called", ()), peer)
        if any(DRIVES[job["task"]].needs_spark for job in order["jobs"]):
            self.spark.start()
        self.during = ""
        self.audit = Audit(self._finding)
        replace_notebook_functions(self.spark, self.earlier)
        self.seal = self._sealed()
        self.stage = self._load()

    def _finding(self, what: str, subject: str) -> None:
        self.channel.send("finding", what=what, subject=subject, during=self.during)

    def _sealed(self) -> Seal:
        """Return a seal on the judging code of this process, as it is before the learner's cells run."""
        instances = {f"the drive {task}": vars(drive) for task, drive in DRIVES.items()}
        audit = {"the audit": vars(self.audit), "the audit's readers": self.audit.readers}
        own = {"autograder.inside.DRIVES": DRIVES, "the result channel": vars(self.channel)}
        modules = {job["task"]: DRIVES[job["task"]].run.__module__ for job in self.order["jobs"]}
        return Seal({**own, **instances, **audit}, modules)

    def _load(self) -> loader.Stage:
        cells = [LabCell(**cell) for cell in self.order["cells"]]
        began = time.monotonic()
        stage = loader.load_cells(self.lab, cells, module_name="__main__", before_cell=self._before_cell)
        errors = [vars(error) for error in stage.errors]
        self.channel.send("loaded", errors=errors, notes=stage.notes, seconds=time.monotonic() - began)
        return stage

    def _before_cell(self, at: int, cell: LabCell) -> None:
        self.audit.begin(vars(sys.modules["__main__"]))
        self.channel.send("cell", at=at)

    def run(self) -> None:
        """Drive all jobs, those without Spark first."""
        for job in sorted(self.order["jobs"], key=lambda job: DRIVES[job["task"]].needs_spark):
            for case in job["cases"]:
                self.drive(job["task"], case["id"], case["input"])
        self.channel.send("done")

    def turns(self) -> None:
        """Run a throughput check: drive the only job's task once for each command, until the judge closes the pipe."""
        task = self.order["jobs"][0]["task"]
        if DRIVES[task].needs_spark:
            self.spark.get()
        self.channel.send("at_the_start")
        for command in self.channel.commands():
            self.drive(task, command["id"], command["input"])

    def drive(self, task: str, case: int, case_input: dict[str, Any]) -> None:
        """Drive one case and send its rows, or the reason why it failed."""
        drive = DRIVES[task]
        self.during = task
        scratch = Path(tempfile.mkdtemp(prefix="scratch-"))
        began = time.monotonic()
        try:
            try:
                session = self._session_for(drive)
            finally:
                self.channel.send("begin", task=task, case=case)
            patience.begin_case()
            began = time.monotonic()
            given = {"spark": session, "scratch": scratch, "earlier": self.earlier, "outside": self.channel.ask}
            rows = drive(stage=self.stage, case=case_input, **given)
            self._report_changes(task)
            times = {"seconds": time.monotonic() - began, "ran_out_s": patience.ran_out_s()}
            self.channel.send("rows", task=task, case=case, rows=rows, **times)
        except BaseException as problem:
            self._report_changes(task)
            self._failed(task, case, problem, time.monotonic() - began)
        shutil.rmtree(scratch, ignore_errors=True)

    def _report_changes(self, task: str) -> None:
        changed = self.seal.broken(task, spark=DRIVES[task].needs_spark)
        if changed:
            self.channel.send("changed", task=task, names=changed)

    def _session_for(self, drive: Drive) -> Any:
        if not drive.needs_spark:
            return None
        self.channel.send("wait", what="spark")
        session = self.spark.get()
        self.seal.close_context(session.sparkContext)
        self.channel.send("spark", seconds=self.spark.seconds)
        return session

    def _failed(self, task: str, case: int, problem: BaseException, seconds: float) -> None:
        cause = cause_of(problem)
        times = {"seconds": seconds, "ran_out_s": patience.ran_out_s()}
        self.channel.send("failed", task=task, case=case, **vars(cause), **times)
        if DRIVES[task].needs_spark and self.spark.is_gone:
            self.channel.send("gone", task=task)
            os._exit(SPARK_IS_GONE)  # the judge continues in a new sandbox


def replace_notebook_functions(spark: SparkLater, earlier: Earlier) -> None:
    """Replace `streamlab.session` and `streamlab.stage`, which give a notebook Spark and tasks of earlier labs."""
    import streamlab

    vars(streamlab)["session"] = lambda *_, **__: DeferredSession(spark)
    vars(streamlab)["stage"] = earlier


def main() -> None:
    """Read one order from the judge and execute it."""
    channel = Channel()
    channel.send("ready")
    order = channel.order()
    if order["mode"] == "versions":
        _warm(channel, order)
    elif order["mode"] == "fallback":
        _serve(channel, order)
    else:
        runner = Runner(channel, order)
        runner.turns() if order["mode"] == "throughput" else runner.run()
    sys.stdout.flush()
    os._exit(0)  # Spark's JVM ends with the sandbox; a clean stop would only take time


def _no_task(full: str) -> Any:
    raise LookupError(f"the submission's sandbox has no task {full} for others")


def _serve(channel: Channel, order: dict[str, Any]) -> None:
    """Be the second sandbox: run the reference's tasks of earlier labs for the submission's."""
    earlier = Earlier(order["earlier"])
    replace_notebook_functions(SparkLater(order["lab"]), earlier)
    serve(channel, lambda full: earlier.task(*full.split("/")))


def _warm(channel: Channel, order: dict[str, Any]) -> None:
    from autograder.inside.warm import SparkOfVersion, WarmRunner

    if "kafka" in order["services"]:
        os.environ[CONNECTORS] = "kafka"
    spark, earlier = SparkOfVersion(order["lab"]), Earlier(order["earlier"])
    replace_notebook_functions(spark, earlier)
    WarmRunner(channel, order, spark, earlier).serve()


if __name__ == "__main__":
    main()
