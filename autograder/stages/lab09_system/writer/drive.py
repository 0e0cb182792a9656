"""Drives `AlertWriter` with a log in memory, once for each operation at which its fault comes, and with real Kafka."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from autograder.stages.lab09_system.writer.drive_kafka import two_writers
from autograder.stages.lab09_system.writer.drive_log import Died, Disk, Endless, ScriptedLog, commits_lost, fault_at
from streamlab.lab09_system import Fenced, LogError

FOR_EVER = 10**9
MOST_TIMES = 4  # a batch whose writer gave up comes again


@drive("AlertWriter")
def alert_writer(stage: Any, case: Any, scratch: Any) -> Rows:
    """Return one run for each number in `at`; without a fault there is one run."""
    if "kafka" in case:
        return two_writers(stage.AlertWriter, case, scratch)
    return {"runs": [RUNS[case["fault"]](stage.AlertWriter, case, at) for at in case["at"]]}


def _written(make: Any, case: Any, at: int) -> Rows:
    """Run one writer; the log gives no answer from operation `at` on, `times` times."""
    disk, kind = Disk(case["earlier"]), case["fault"]
    times = case.get("times") or FOR_EVER
    fault = commits_lost(times) if kind == "commits lost" else fault_at(kind, at, times) if at else None
    log = ScriptedLog(disk, fault)
    answers, lasts, raised = list[Any](), list[Any](), None
    try:
        writer = make(log, 1, case["tries"])
        lasts.append(plain(writer.last))
        for number, rows in case["writes"]:
            if case.get("again"):
                answers += _calls(writer, disk, number, rows)
            else:
                answers.append(plain(writer.write(number, list(rows))))
            lasts.append(plain(writer.last))
    except (LogError, Fenced, Endless) as problem:
        raised = type(problem).__name__
    asked = max(0, disk.operations - at + 1)
    counts = {"begun": log.begun, "commits": log.commits, "asked": asked}
    return {**_seen(disk), "answers": answers, "last": lasts, "raised": raised, **counts}


def _calls(writer: Any, disk: Disk, number: int, rows: list[Any]) -> list[Any]:
    """Write a batch, and again after a LogError, at most MOST_TIMES times.

    Return the number, whether the log has it before the call, and the answer or "LogError" of each call.
    """
    calls = list[Any]()
    for left in reversed(range(MOST_TIMES)):
        is_there = number <= disk.last
        try:
            return [*calls, [number, is_there, plain(writer.write(number, list(rows)))]]
        except LogError:
            calls.append([number, is_there, "LogError"])
            if not left:
                raise
    return calls


def _died(make: Any, case: Any, at: int) -> Rows:
    """Start a new writer with the next epoch after the death, at the batch whose write did not return."""
    disk, epoch, done = Disk(case["earlier"]), 1, 0
    fault = fault_at(case["fault"], at)
    while done < len(case["writes"]):
        try:
            writer = make(ScriptedLog(disk, fault), epoch, case["tries"])
            while done < len(case["writes"]):
                number, rows = case["writes"][done]
                writer.write(number, list(rows))
                done += 1
        except Died:
            epoch += 1
    return _seen(disk)


def _overtaken(make: Any, case: Any, at: int) -> Rows:
    """Let somebody with the next epoch write everything before operation `at` of the writer."""
    disk, overtaken = Disk(case["earlier"]), list[int]()

    def overtake(number: int, name: str, work: Any) -> Any:
        if number == at:
            overtaken.append(number)
            disk.overtake(2, case["writes"])
        return work()

    log, raised = ScriptedLog(disk, overtake), None
    try:
        writer = make(log, 1, case["tries"])
        for number, rows in case["writes"]:
            writer.write(number, list(rows))
    except (LogError, Fenced, Endless) as problem:
        raised = type(problem).__name__
    return {**_seen(disk), "overtaken": bool(overtaken), "raised": raised, "after": log.after_fenced}


RUNS = {
    "none": _written,
    "commits lost": _written,
    "lost before": _written,
    "lost after": _written,
    "dies before": _died,
    "dies after": _died,
    "overtaken": _overtaken,
}


def _seen(disk: Disk) -> Rows:
    return {"visible": plain(disk.visible)}
