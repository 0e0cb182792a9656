"""The checks of `PartitionLog`: offsets, reads, the index, and the effect of faults."""

from autograder.checks import Case, Mismatch, Rows, check, claims, throughput
from autograder.checks.registry import Judge
from autograder.checks.rejection import must_reject
from autograder.stages.lab03_log.log import cases, cases_faults, oracle, workload
from autograder.stages.lab03_log.log.comparators import not_opened, same_answers, step_of
from autograder.stages.lab03_log.log.comparators_parts import with_the_part


def _log(case: Case) -> str:
    """Return the call that opens the log.

    Example: _log({"segment_bytes": 99, "index_bytes": 9}) -> "PartitionLog(d, 99, 9)"
    """
    folder = "str(d)" if case.get("folder") == "text" else "d"
    return f"PartitionLog({folder}, {case['segment_bytes']}, {case['index_bytes']})"


def _same(*verbs: str) -> Judge:
    """Return a judge that compares the answers to these steps of a script."""
    return with_the_part(lambda case, rows: same_answers(_log(case), case["script"], oracle.answers(case), rows, verbs))


@check("PartitionLog", cases=cases.indexed, invariant=4, after="offsets_rise_by_one_without_gaps_or_repeats")
@with_the_part
def the_index_finds_an_offset_without_a_scan(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the entries of the index, and limit the bytes that a read takes from files."""
    expected = oracle.answers(case)
    wrong = same_answers(_log(case), case["script"], expected, rows, ("files", "read"))
    if wrong:
        return wrong
    for at, (answer, got) in enumerate(zip(expected, rows["answers"], strict=False)):
        most, read = answer.get("most_bytes_read"), got.get("bytes_read")
        if most is not None and isinstance(read, int) and read > most:
            what = step_of(_log(case), case["script"], at)
            return Mismatch(f"Expected {what} to read at most {most} bytes from files; yours reads {read}.", most, read)
    return None


@check(
    "PartitionLog", cases=cases_faults.killed, invariant=2, after="a_read_starts_with_the_batch_that_holds_the_offset"
)
@with_the_part
def acknowledged_records_survive_a_kill_of_the_writer(case: Case, rows: Rows) -> Mismatch | None:
    """Require all acknowledged records after kill -9, when another process opens the log."""
    if "acknowledged" not in rows:
        return not_opened(_log(case), rows)
    acknowledged, kept = rows["acknowledged"], rows["kept"]
    when = f"after kill -9 of a writer with {acknowledged} records acknowledged"
    if not (isinstance(kept, int) and isinstance(acknowledged, int) and kept >= acknowledged):
        return Mismatch(f"Expected {acknowledged} or more records {when}; yours has {kept}.", acknowledged, kept)
    if acknowledged < case["kill_after"]:
        least = case["kill_after"]
        sentence = f"Expected a writer to append {least} records in 20 s; yours appended {acknowledged}."
        return Mismatch(sentence, least, acknowledged)
    if rows.get("values_right") is not True:
        return Mismatch(f"Expected the records as they were written, {when}; yours differ.", True, rows)
    return None


@check("PartitionLog", cases=cases.invalid_sizes, invariant=14, after="offsets_rise_by_one_without_gaps_or_repeats")
@with_the_part
def invalid_sizes_and_retentions_raise_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError for sizes and max_bytes below one and for a negative retention."""
    if case["script"]:
        return same_answers(_log(case), case["script"], oracle.answers(case), rows, ("read", "retain"))
    wrong = must_reject(_log(case), rows)
    if not wrong and rows.get("made") is not False:
        sentence = f"Expected {_log(case)} to raise ValueError before it creates the folder; yours creates it."
        return Mismatch(sentence, "ValueError", rows)
    if wrong and "answers" in rows:
        return Mismatch(f"Expected {_log(case)} to raise ValueError; yours opens a log.", "ValueError", rows)
    return wrong


@throughput("PartitionLog", workload=workload.workload, unit="records")
def appending_whole_batches_is_faster_than_one_write_per_record(content: bytes, rows: Rows) -> Mismatch | None:
    """Judge one turn: every byte is in its place."""
    return workload.same_log(content, rows)


CLAIMS = claims(
    (
        "PartitionLog",
        "offsets_rise_by_one_without_gaps_or_repeats",
        cases.offsets,
        _same("append", "offsets", "recover", "reopen", "reopen_closed"),
        1,
    ),
    ("PartitionLog", "a_read_starts_with_the_batch_that_holds_the_offset", cases.reads, _same("read"), 4),
    ("PartitionLog", "a_read_outside_the_log_raises_offset_out_of_range", cases.outside, _same("read", "retain"), 5),
    ("PartitionLog", "a_corrupt_batch_is_never_returned", cases_faults.corrupt, _same("read"), 3),
    (
        "PartitionLog",
        "a_log_keeps_working_after_any_fault",
        cases_faults.faults,
        _same(
            "append_broken", "cut_recover", "damage", "disk_full", "files", "no_room_for_a_segment", "read", "reopen"
        ),
        3,
    ),
    after={
        "a_read_starts_with_the_batch_that_holds_the_offset": "offsets_rise_by_one_without_gaps_or_repeats",
        "a_read_outside_the_log_raises_offset_out_of_range": "offsets_rise_by_one_without_gaps_or_repeats",
        "a_corrupt_batch_is_never_returned": "a_read_starts_with_the_batch_that_holds_the_offset",
        "a_log_keeps_working_after_any_fault": "a_read_starts_with_the_batch_that_holds_the_offset",
    },
)
