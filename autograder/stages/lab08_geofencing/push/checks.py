"""What is claimed of `push`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab08_geofencing.push import cases, oracle
from autograder.stages.lab08_geofencing.push.comparators import is_of_late, is_refused, rows_of, with_any_time

COLUMNS = "(kind, mover, fence, time in ms)"


@check("push", cases=cases.played, invariant=8)
def events_are_those_of_the_logs_in_event_time(case: Case, rows: Rows) -> Mismatch | None:
    """Of the movers whose records and fences all come in time."""
    expected = [row for row in oracle.events(case) if not is_of_late(row)]
    came = rows_of(rows)
    if isinstance(came, Mismatch):
        return came
    ordinary = [row for row in came if not is_of_late(row) and not is_refused(row)]
    return same_items(expected, ordinary, what=f"the events {COLUMNS} of {_played(case)}")


@check("push", cases=cases.played, invariant=7)
def a_late_fence_takes_effect_and_a_late_position_does_not(case: Case, rows: Rows) -> Mismatch | None:
    """The late fence at its time or later, at the last watermark at the latest."""
    expected = [row for row in oracle.events(case) if is_of_late(row)]
    from_ms = min(row[3] for row in expected)
    to_ms = oracle.last_watermark_ms(case)
    came = rows_of(rows)
    if isinstance(came, Mismatch):
        return came
    of_late = [with_any_time(row, from_ms, to_ms) for row in came if is_of_late(row)]
    what = "the events of a mover whose fence comes late, and of one with a late position"
    return same_items([with_any_time(row, from_ms, to_ms) for row in expected], of_late, what=what)


@check("push", cases=cases.played, invariant=9)
def an_unreadable_record_is_reported_once(case: Case, rows: Rows) -> Mismatch | None:
    """By one shard, also if all shards see it."""
    expected = oracle.refused(case)
    came = rows_of(rows)
    if isinstance(came, Mismatch):
        return came
    refused = [row for row in came if is_refused(row)]
    return same_items(expected, refused, what=f"the rows of unreadable records {COLUMNS}")


@check("push", cases=cases.killed, invariant=8)
def a_killed_job_emits_every_event_once(case: Case, rows: Rows) -> Mismatch | None:
    """Killed when a batch was computed and not yet written, and started again on its checkpoint."""
    return _after_the_kill(case, rows, "events", "the events")


@check("push", cases=cases.killed, invariant=8, chain="lab03_log/write_once")
def the_table_of_your_own_lab_3_holds_every_event_once(case: Case, rows: Rows) -> Mismatch | None:
    """The same run, whose batches `write_once` writes."""
    return _after_the_kill(case, rows, "table", "the rows of the table")


def _after_the_kill(case: Case, rows: Rows, name: str, what: str) -> Mismatch | None:
    expected = oracle.events(case)
    came = rows_of(rows, name)
    if isinstance(came, Mismatch):
        return came
    wrong = same_items(expected, came, what=f"{what} {COLUMNS} of a job that was killed inside a batch")
    return wrong or same_value(True, rows.get("killed"), what="that the job was killed inside a batch with events")


def _played(case: Case) -> str:
    return f"{len(case['files'])} files in {case['shards']} shards with a lateness of {case['lateness_s']} s"


@check("push", cases=cases.invalid, invariant=14)
def invalid_shards_and_lateness_are_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """One shard and no lateness are valid."""
    shards, lateness_s = case["shards"], float(case["lateness_s"])
    call = f"push(records, shards={shards}, lateness_s={lateness_s})"
    if shards < 1 or not 0 <= lateness_s < float("inf"):
        return must_reject(call, rows)
    return must_answer(call, "a streaming DataFrame", rows) or _streams(call, rows.get("streams"))


def _streams(call: str, streams: Any) -> Mismatch | None:
    return same_value(True, streams, what=f"isStreaming of {call}")
