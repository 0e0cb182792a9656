"""What is claimed of `PartitionLog`: offsets, reads, segments, the index, retention, and what damage may cost.

Keeps out: how answers are compared (`readings_log`), and what they have to be (`oracle_log`).
"""

from autograder.checks import Case, Mismatch, Rows, check, same_value, throughput
from autograder.stages.lab03_log import cases_log, cases_log_faults, oracle_log, workload_batches
from autograder.stages.lab03_log.oracle_log import NOT_COVERED
from autograder.stages.lab03_log.readings import rejected
from autograder.stages.lab03_log.readings_log import log_told, no_log, on_progress, same_answers, steps_before


@check("PartitionLog", cases=cases_log.offsets, invariant=1)
def offsets_rise_by_one_without_gap_or_repeat(case: Case, rows: Rows) -> Mismatch | None:
    """Also when the log is opened again."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log.reads, invariant=4)
def a_read_gives_whole_batches_from_the_one_that_holds_the_offset(case: Case, rows: Rows) -> Mismatch | None:
    """As many as there is room for, at least one, over the borders of segments."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log.outside, invariant=5)
def reading_outside_the_log_says_where_it_begins_and_ends(case: Case, rows: Rows) -> Mismatch | None:
    """At the end there is nothing yet, which is no error."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log.segments, invariant=1)
def segments_roll_before_they_outgrow_their_size(case: Case, rows: Rows) -> Mismatch | None:
    """To the byte; each is named by its first offset."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log.indexed, invariant=4)
def the_index_finds_an_offset_without_a_scan(case: Case, rows: Rows) -> Mismatch | None:
    """Its entries are those of the rule, and bytes read are counted."""
    wrong = same_answers(case, rows)
    if wrong:
        return wrong
    for at, (expected, got) in enumerate(zip(oracle_log.answers(case), rows["answers"], strict=False)):
        most, read = expected.get("most_bytes_read"), got.get("bytes_read")
        if most is not None and isinstance(read, int) and read > most:
            what = f"{on_progress(case['script'][at])} of {log_told(case)} after {steps_before(case['script'], at)}"
            return Mismatch(f"Expected {what} to read at most {most} bytes from files; yours reads {read}.", most, read)
    return None


@check("PartitionLog", cases=cases_log_faults.broken, invariant=2)
def what_is_no_whole_batch_is_refused_and_writes_nothing(case: Case, rows: Rows) -> Mismatch | None:
    """Too short, too long, a false CRC, another number of records."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log_faults.torn, invariant=3)
def a_torn_tail_is_cut_at_the_last_whole_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Wherever it was torn; nothing before it is lost, and the log goes on."""
    return _same_at_each_byte(case, rows) if "each_byte" in case else same_answers(case, rows)


@check("PartitionLog", cases=cases_log_faults.flipped, invariant=3)
def the_last_segment_is_cut_before_its_first_corrupt_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Whichever bit is wrong; nothing before it is lost."""
    return _same_at_each_byte(case, rows) if "each_byte" in case else same_answers(case, rows)


def _same_at_each_byte(case: Case, rows: Rows) -> Mismatch | None:
    """The end of the log, and what is before the last batch, for each byte of the last batch."""
    if "ends" not in rows:
        return no_log(case, rows)
    size, expected = len(oracle_log.bytes_of(case["batches"][-1])), oracle_log.before_the_last(case["batches"])
    wrong = same_value(size, rows.get("last_batch_bytes"), what=f"bytes of the last batch of {log_told(case)}")
    wrong = wrong or same_value(True, _are_as_many(rows, size), what="an answer for each byte of the last batch:")
    for at, (end, kept) in enumerate([] if wrong else zip(rows["ends"], rows["kept"], strict=False)):
        if wrong is None and not (case["each_byte"] == "flip" and at in NOT_COVERED):
            where = _opened_with(case, at)
            wrong = same_value(expected, end, what=f"end_offset of {where},")
            wrong = wrong or _all_kept(where, kept)
    return wrong


def _all_kept(where: str, kept: object) -> Mismatch | None:
    if kept is True:
        return None
    return Mismatch(f"Expected every batch before the last one of {where}, as it was; yours are not.", True, kept)


def _opened_with(case: Case, at: int) -> str:
    """What was done to a log before it was opened."""
    how = f"{at + 1} bytes cut off" if case["each_byte"] == "cut" else f"a bit of byte {at} of its last batch flipped"
    return f"{log_told(case)} of {len(case['batches'])} batches, opened with {how}"


def _are_as_many(rows: Rows, size: int) -> bool:
    """Whether there is an answer for each byte; cutting all of them may be left out."""
    both = rows.get("ends"), rows.get("kept")
    return all(isinstance(each, list) and len(each) >= size - 1 for each in both)


@check("PartitionLog", cases=cases_log_faults.corrupt, invariant=3)
def a_corrupt_batch_is_never_given_out(case: Case, rows: Rows) -> Mismatch | None:
    """A read ends before it, and one that begins with it says where it lies."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log_faults.wrong_indexes, invariant=4)
def an_index_that_does_not_fit_its_log_is_made_anew(case: Case, rows: Rows) -> Mismatch | None:
    """Missing, odd, too long, falling; without its log it goes."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log_faults.missing, invariant=1)
def segments_that_do_not_follow_each_other_are_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With both names; the first and the last may be gone."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log.expiring, invariant=5)
def whole_old_segments_expire_and_no_other(case: Case, rows: Rows) -> Mismatch | None:
    """By their newest record, from the front; the active one stays."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log_faults.killed, invariant=2)
def what_was_acknowledged_survives_the_kill_of_its_writer(case: Case, rows: Rows) -> Mismatch | None:
    """Kill -9, and the log is opened by another process."""
    if "acknowledged" not in rows:
        return no_log(case, rows)
    when = f"after kill -9 of a writer with {rows['acknowledged']} records acknowledged"
    if not _at_least(rows["kept"], rows["acknowledged"]):
        sentence = f"Expected all of them {when}; yours has {rows['kept']}."
        return Mismatch(sentence, rows["acknowledged"], rows["kept"])
    wrong = same_value(
        True, rows["acknowledged"] >= case["kill_after"], what="so many acknowledgements as were waited for"
    )
    return wrong or same_value(True, rows["values_right"], what=f"the records to be those that were written, {when},")


def _at_least(kept: object, least: object) -> bool:
    return isinstance(kept, int) and isinstance(least, int) and kept >= least


@check("PartitionLog", cases=cases_log_faults.full, invariant=2)
def a_full_disk_leaves_the_log_as_it_was(case: Case, rows: Rows) -> Mismatch | None:
    """The error is raised, nothing torn stays, and the next append takes the offset."""
    return same_answers(case, rows)


@check("PartitionLog", cases=cases_log.not_meant, invariant=14)
def what_a_log_cannot_mean_is_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError: sizes below one, room for no byte, a retention below zero."""
    if case["script"]:
        return same_answers(case, rows)
    return rejected(log_told(case), rows)


@throughput("PartitionLog", workload=workload_batches.workload, unit="records")
def appending_whole_batches_is_faster_than_one_write_per_record(content: bytes, rows: Rows) -> Mismatch | None:
    """One turn: every byte in its place."""
    return workload_batches.same_log(content, rows)
