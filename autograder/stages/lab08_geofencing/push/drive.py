"""Drives `push` with files that arrive one by one, and with two real topics and a killed job.

The job is killed inside a batch. `read_record`, `in_order` and `Watch` are stubs that follow another rule.
"""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, type_name
from autograder.stages.lab08_geofencing.push.drive_job import PushJob, event_of, killed_and_restarted
from autograder.stages.lab08_geofencing.push.drive_stubs import LongitudesWatch, positions_first, read_line
from streamlab.lab08_geofencing.two_topics import COLUMNS, Sent, play_records
from streamlab.spark.batch_playback import NoStream, described_query


@drive("push")
def push(stage: Any, spark: Any, case: Any, scratch: Path, earlier: Any) -> Rows:
    """Return the rows of all batches.

    A run that is killed reads from the partitions of the learner's Lab 3, and also gives the rows of its table.
    """
    with stage.replaced(read_record=read_line, in_order=positions_first, Watch=LongitudesWatch):
        try:
            return _pushed(stage, spark, case, scratch, earlier)
        except NoStream as other:
            return {"returned": type_name(other.returned)}


def _pushed(stage: Any, spark: Any, case: Any, scratch: Path, earlier: Any) -> Rows:
    shards, lateness_s = case["shards"], float(case["lateness_s"])

    files = [[_sent(row) for row in file] for file in case["files"]]
    if case["how"] == "killed":
        nothing = spark.readStream.schema(COLUMNS).json(str(scratch))
        described_query(lambda records: stage.push(records, shards, lateness_s), nothing)  # before a broker starts
        log, records = earlier("lab03_log"), [record for file in files for record in file]
        job = PushJob(stage.push, log.write_once, shards, lateness_s, scratch)
        return killed_and_restarted(job, spark, [*records, _sent(case["closing"])], log.partition_for)
    played = play_records(spark, files, lambda records: stage.push(records, shards, lateness_s), _sent(case["closing"]))
    return {"events": [event_of(row) for row in played]}


def _sent(row: list[Any]) -> Sent:
    topic, key, value, time_ms = row
    return Sent(topic, _in_bytes(key), _in_bytes(value), time_ms)


def _in_bytes(text: str | None) -> bytes | None:
    """Return a text as bytes: _in_bytes("caf\\u00e9") -> b"caf\\xe9", which is not UTF-8."""
    return None if text is None else text.encode("latin-1")
