"""Drives `route` with single records, and `alerts` with files and with topics that the learner's own log stores.

For `alerts`, `route`, `Desk` and `bucket_of` are stubs that follow other rules. For `route`, so is `read_record`.
"""

import pickle
from functools import partial
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab09_system.path.drive_stubs import NotingDesk, Opener, by_letters, read_pair, read_short
from autograder.stages.lab09_system.path.drive_wire import play_topics
from streamlab.lab09_system import Change, Dead, Payment, Position, Record
from streamlab.lab09_system.topics import COLUMNS, play_records
from streamlab.spark.batch_playback import NoStream, described_query

KINDS: dict[type, str] = {each: each.__name__ for each in (Change, Payment, Position)}
NAMES = ("kind", "account", "subject", "time_ms", "cents", "record")


@drive("route")
def route(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the kind and the fields of the row, or the reason and the record of the dead letter."""
    reader = Counted(earlier("lab08_geofencing").read_record if case["reader"] == "lab08" else read_pair)
    with stage.replaced(read_record=reader):
        try:
            return _answer(stage.route(record_of(case["record"]), case["ahead_ms"])) | {"read": reader.calls}
        except KeyboardInterrupt:
            return {"kind": "KeyboardInterrupt"}


class Counted:
    """Calls a reader and counts the calls."""

    def __init__(self, reader: Any) -> None:
        self._reader, self.calls = reader, 0

    def __call__(self, *arguments: Any) -> Any:
        """Read one record."""
        self.calls += 1
        return self._reader(*arguments)


def _answer(returned: Any) -> Rows:
    if isinstance(returned, Dead):
        return {"kind": "Dead", "reason": plain(returned.reason), "record": in_letters(returned.record)}
    if type(returned) in KINDS:
        return {"kind": KINDS[type(returned)], "row": plain(list(returned))}
    return {"kind": type_name(returned)}


@drive("alerts")
def alerts(stage: Any, spark: Any, case: Any, scratch: Path, earlier: Any) -> Rows:
    """Return all rows, how many rows Spark dropped, and the calls of the store; or the error of the call."""
    opener, lateness_s = Opener(scratch, case["limits"]), float(case["lateness_s"])

    def query(records: Any) -> Any:
        return stage.alerts(records, case["shards"], lateness_s, opener, case["ahead_ms"])

    with stage.replaced(route=read_short, Desk=NotingDesk, bucket_of=by_letters):
        try:
            return or_rejected(partial(_played, spark, case, query, opener, scratch, earlier))
        except NoStream as other:
            return {"returned": type_name(other.returned)}


def _played(spark: Any, case: Any, query: Any, opener: Opener, scratch: Path, earlier: Any) -> Rows:
    files = [[record_of(row) for row in file] for file in case["files"]]
    if case["how"] == "described":
        described_query(query, spark.readStream.schema(COLUMNS).json(str(scratch)))
        return {"described": "a streaming DataFrame"}
    if case["how"] == "own log":
        records = [record for file in files for record in file]
        played = play_topics(spark, earlier("lab03_log").PartitionLog, scratch / "log", records, query)
    else:
        played = play_records(spark, files, query)
    rows = [[in_letters(row[name]) if name in row.__fields__ else None for name in NAMES] for row in played.rows]
    return {"rows": rows, "dropped": played.dropped, "asked": opener.noted("asked"), "opened": opener.noted("opened")}


def record_of(fields: list[Any]) -> Record:
    """Return the record of a case; its letters are bytes (latin-1)."""
    topic, partition, offset, key, value, time_ms, received_ms = fields
    key, value = (None if text is None else text.encode("latin-1") for text in (key, value))
    return Record(topic, partition, offset, key, value, time_ms, received_ms)


def in_letters(value: Any) -> Any:
    """Return a value as JSON holds it; records, pickled or not, as lists, with a letter (latin-1) for each byte."""
    if isinstance(value, bytes | bytearray):
        try:
            value = pickle.loads(value)
        except Exception:  # pickle raises errors of many classes
            return "bytes that are no pickled record"
    if not isinstance(value, tuple):
        return plain(value)
    return [each.decode("latin-1") if isinstance(each, bytes) else plain(each) for each in value]
