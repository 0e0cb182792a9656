"""The checks of `push`."""

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.stages.lab08_geofencing.push import cases, oracle
from autograder.stages.lab08_geofencing.push.comparators import (
    is_of_late,
    is_rejected,
    rows_of,
    same_events,
    with_any_time,
)

COLUMNS = "(kind, mover, fence, time in ms)"


@check("push", cases=cases.played, invariant=8)
def events_are_those_of_the_logs_in_event_time(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the events of movers whose records and fences all arrive in time."""
    expected = [row for row in oracle.events(case) if not is_of_late(row)]
    received = rows_of(rows)
    if isinstance(received, Mismatch):
        return received
    ordinary = [row for row in received if not is_of_late(row) and not is_rejected(row)]
    return same_events(expected, ordinary, case, what=f"the events {COLUMNS} of {_played(case)}")


@check("push", cases=cases.played, invariant=7, after="events_are_those_of_the_logs_in_event_time")
def a_late_fence_takes_effect_and_a_late_position_does_not(case: Case, rows: Rows) -> Mismatch | None:
    """Check that the late fence takes effect between its time and the last watermark."""
    expected = [row for row in oracle.events(case) if is_of_late(row)]
    from_ms = min(row[3] for row in expected)
    to_ms = oracle.last_watermark_ms(case)
    received = rows_of(rows)
    if isinstance(received, Mismatch):
        return received
    of_late = [with_any_time(row, from_ms, to_ms) for row in received if is_of_late(row)]
    what = "the events of a mover whose fence comes late, and of one with a late position"
    return same_events([with_any_time(row, from_ms, to_ms) for row in expected], of_late, case, what=what)


@check("push", cases=cases.played, invariant=9)
def an_unreadable_record_is_reported_once(case: Case, rows: Rows) -> Mismatch | None:
    """Check that one shard reports it, even if all shards see it."""
    expected = oracle.rejected(case)
    received = rows_of(rows)
    if isinstance(received, Mismatch):
        return received
    rejected = [row for row in received if is_rejected(row)]
    return same_items(expected, rejected, what=f"the rows of unreadable records {COLUMNS}")


@check(
    "push",
    cases=cases.killed,
    invariant=8,
    after=("a_late_fence_takes_effect_and_a_late_position_does_not", "an_unreadable_record_is_reported_once"),
)
def a_killed_job_emits_every_event_once(case: Case, rows: Rows) -> Mismatch | None:
    """Kill the job when a batch was computed and not yet written, and restart it on its checkpoint."""
    return _after_the_kill(case, rows, "events", "the events")


@check(
    "push",
    cases=cases.killed,
    invariant=8,
    chain="lab03_log/write_once",
    chain_inside=True,
    after=("a_late_fence_takes_effect_and_a_late_position_does_not", "an_unreadable_record_is_reported_once"),
)
def the_table_of_your_own_lab_3_holds_every_event_once(case: Case, rows: Rows) -> Mismatch | None:
    """Check the same run, whose batches `write_once` writes."""
    return _after_the_kill(case, rows, "table", "the rows of the table")


@check(
    "push",
    cases=cases.killed,
    invariant=8,
    chain="lab03_log/partition_for",
    after=(
        "a_late_fence_takes_effect_and_a_late_position_does_not",
        "an_unreadable_record_is_reported_once",
        "a_killed_job_emits_every_event_once",
    ),
)
def positions_in_the_partitions_of_your_own_lab_3_give_the_same_events(case: Case, rows: Rows) -> Mismatch | None:
    """Check the same run, whose positions come from the partitions that `partition_for` chose."""
    return _after_the_kill(case, rows, "events", "the events")


@check("push", cases=cases.killed)
def each_shard_is_one_group(case: Case, rows: Rows) -> Mismatch | None:
    """Count the rows of Spark's state in the checkpoint: one for each group that has got a record."""
    received, shards = rows_of(rows), case["shards"]
    if isinstance(received, Mismatch):
        return received
    what = f"the number of groups with a state after {_positions(case)} positions in {shards} shards"
    return same_value(shards, rows.get("groups"), what=what)


def _positions(case: Case) -> int:
    return sum(record[0] == "positions" for file in case["files"] for record in file)


def _after_the_kill(case: Case, rows: Rows, name: str, what: str) -> Mismatch | None:
    expected = oracle.events(case)
    received = rows_of(rows, name)
    if isinstance(received, Mismatch):
        return received
    killed = rows.get("killed")
    wrong = same_events(expected, received, case, what=f"{what} {COLUMNS} of a job that was killed inside a batch")
    if wrong or killed is True:
        return wrong
    return Mismatch("Expected the job to be killed inside a batch with events; yours has no such batch.", True, killed)


def _played(case: Case) -> str:
    return f"{len(case['files'])} files in {case['shards']} shards with a lateness of {case['lateness_s']} s"
