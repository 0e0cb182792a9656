"""The checks of the parts of a log."""

from itertools import pairwise
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claim, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab03_log.log.comparators import counted, same_answers, step_of
from autograder.stages.lab03_log.segments import cases, oracle

# recover_segment


def same_recovery(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the bytes cut and the bytes left after each damage; nothing else may change."""
    sizes, right, answers = oracle.sizes_of(case["batches"]), oracle.recovered(case), rows.get("recovered")
    for at, (damage, expected) in enumerate(zip(case["damages"], right, strict=True)):
        file = f"a file with batches of {shown(sizes)} bytes {_damaged(*damage)}"
        got = answers[at] if isinstance(answers, list) and at < len(answers) else None
        if not (isinstance(got, list) and len(got) == len(expected)):
            return Mismatch(f"Expected recover_segment to answer for {file}; yours gives {shown(got)}.", expected, got)
        cut, left, unchanged, again = got
        wrong = same_value(expected[1], left, what=f"the size after recover_segment of {file}")
        if not wrong and unchanged is not True:
            wrong = Mismatch(f"Expected recover_segment to leave the start of {file} unchanged; yours does not.", True)
        wrong = wrong or same_value(expected[0], cut, what=f"the bytes cut by recover_segment from {file}")
        wrong = wrong or same_value(0, again, what=f"the bytes cut by a second recover_segment from {file}")
        if wrong:
            return wrong
    return None


def _damaged(how: str, amount: int) -> str:
    return {
        "cut": f"without its last {counted(amount, 'byte')}",
        "flip": f"with a wrong bit {counted(amount, 'byte')} before its end",
        "tail": f"followed by {counted(amount, 'byte')} that are not a batch",
        "misplaced": f"whose batch number {amount} begins at a wrong offset",
        "no_file": "that does not exist",
        "whole": "that is whole",
    }[how]


# SparseIndex


def _index(case: Case) -> str:
    stored = "without a file" if case["stored_hex"] is None else f"on a file of {len(case['stored_hex']) // 2} bytes"
    return f"SparseIndex(path, {case['base_offset']}, {case['index_bytes']}) {stored}"


def _batches(case: Case) -> str:
    return f"batches at (offset, position) {shown([tuple(each) for each in case['batches']])}"


@check("SparseIndex", cases=cases.due, invariant=4)
def a_batch_gets_an_entry_after_every_index_bytes(case: Case, rows: Rows) -> Mismatch | None:
    """Count from the last entry, to the byte; an `add` without room on the disk changes nothing.

    No call may leave a file open.
    """
    stored = oracle.stored(case)
    if "full_at" in case:
        what = f"the error of add{shown(tuple(case['batches'][case['full_at']]))} of {_index(case)} on a full disk"
        if wrong := same_value("OSError", rows.get("raised"), what=what):
            return wrong
    return _same_stored(stored, case, rows) or _none_open(case, rows)


def _none_open(case: Case, rows: Rows) -> Mismatch | None:
    left = rows.get("left_open")
    if left == 0:
        return None
    rule = f"no call of {_index(case)} to leave a file open, since it has no close()"
    return Mismatch(f"Expected {rule}; yours leaves {shown(left)}.", 0, left)


def _same_stored(expected: list[list[int]], case: Case, rows: Rows) -> Mismatch | None:
    what = f"the stored entries of {_index(case)} after {_batches(case)}"
    wrong = same_sequence(expected, rows.get("stored"), what=what)
    return wrong or same_value(8 * len(expected), rows.get("bytes"), what=f"the file size of {_index(case)}")


@check("SparseIndex", cases=cases.asked, invariant=4)
def find_returns_the_last_entry_at_or_before_the_offset(case: Case, rows: Rows) -> Mismatch | None:
    """Compare with that entry, or with the start of the segment if none exists."""
    return _same_found(oracle.found(case), case, rows)


def _same_found(right: list[list[int]], case: Case, rows: Rows) -> Mismatch | None:
    answers = rows.get("found")
    for at, (offset, entry) in enumerate(zip(case["asked"], right, strict=True)):
        got = answers[at] if isinstance(answers, list) and at < len(answers) else None
        what = f"find({offset}) of {_index(case)} after {_batches(case)}"
        if wrong := same_value(entry, got, what=what):
            return wrong
    return None


@check("SparseIndex", cases=cases.wrong_files, invariant=4)
def an_index_that_does_not_fit_its_log_is_rebuilt(case: Case, rows: Rows) -> Mismatch | None:
    """Load files that are missing, cut, falling or too long; entries that can be right are kept."""
    return _same_loaded(case, rows)


def _same_loaded(case: Case, rows: Rows) -> Mismatch | None:
    what = f"load({case['log_bytes']}) of {_index(case)} ({case['stored_hex']})"
    last, stored = oracle.taken(case), oracle.stored(case)
    return same_value(last, rows.get("last"), what=what) or _same_stored(stored, case, rows)


def same_index(case: Case, rows: Rows) -> Mismatch | None:
    """Compare what the index loads from its file, what it stores in the end, and what it finds."""
    found = oracle.found(case)
    return _same_loaded(case, rows) or _same_found(found, case, rows) or _none_open(case, rows)


# Segment


def same_segment(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the answers to a script and the calls of `index.add`."""
    (expected, placed, _), opened = oracle.written(case), f"Segment(log, {case['base_offset']}, index)"
    last = step_of(opened, case["script"], len(case["script"]) - 1)
    wrong = same_answers(opened, case["script"], expected, rows)
    what = f"the calls of index.add after {last}"
    return wrong or same_sequence(placed, rows.get("added"), what=what)


OPENING = ("reopen", "reopen_at", "torn")  # steps after which the segment has a new index


@check("Segment", cases=cases.given, invariant=4)
def batches_start_with_the_one_that_holds_the_offset(case: Case, rows: Rows) -> Mismatch | None:
    """Require that each call of batches before the end asks the index for its offset.

    Other methods may ask it, too.
    """
    since = max((at for at, step in enumerate(case["script"]) if step[0] in OPENING), default=0)
    (*_, end), asked = oracle.written(case), rows.get("asked")
    expected = [step[1] for step in case["script"][since:] if step[0] == "batches" and step[1] < end]
    if (wrong := same_segment(case, rows)) or _are_among(expected, asked):
        return wrong
    what = "the calls of index.find (one for each call of batches before the end)"
    return same_sequence(expected, asked, what=what)


def _are_among(expected: list[int], asked: Any) -> bool:
    """Return whether these offsets were asked for in this order, perhaps with others between them."""
    left = iter(asked if isinstance(asked, list) else [])
    return all(offset in left for offset in expected)


# SegmentList


def same_list(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the answers and, after each step, the segments: (base offset, bytes, whether it is open)."""
    expected, opened = oracle.listed(case), _opened(case)
    if expected is not None:
        return same_answers(opened, case["script"], expected, rows)
    if rows.get("rejected") != "ValueError":
        outcome = f"raises {rows['rejected']}" if "rejected" in rows else "gives a list"
        return Mismatch(f"Expected {opened} to raise ValueError; yours {outcome}.", "ValueError", rows)
    return _both_named(case, opened, str(rows.get("text")))


def _opened(case: Case) -> str:
    segments = ", ".join(f"{base} to {end} ({size} bytes)" for base, end, size, _ in case["segments"])
    return f"SegmentList of segments {segments} with segment_bytes={case['segment_bytes']}"


def _both_named(case: Case, opened: str, text: str) -> Mismatch | None:
    pairs = pairwise(case["segments"])
    names = next([f"{older[0]:020}", f"{later[0]:020}"] for older, later in pairs if older[1] != later[0])
    if all(name in text for name in names):
        return None
    sentence = f"Expected the ValueError of {opened} to name {' and '.join(names)}; its text is: {text[:200]}"
    return Mismatch(sentence, names, text)


CLAIMS = [
    claim(
        "recover_segment",
        "a_torn_tail_is_cut_after_the_last_whole_batch",
        cases=cases.torn,
        judge=same_recovery,
        invariant=3,
    ),
    claim(
        "recover_segment",
        "a_segment_is_cut_before_its_first_corrupt_batch",
        cases=cases.corrupt,
        judge=same_recovery,
        invariant=3,
    ),
    claim(
        "Segment",
        "an_invalid_batch_is_rejected_and_nothing_is_written",
        cases=cases.broken,
        judge=same_segment,
        invariant=2,
    ),
    claim("Segment", "a_full_disk_leaves_the_segment_unchanged", cases=cases.full, judge=same_segment, invariant=2),
    claim(
        "SegmentList",
        "a_segment_rolls_before_it_exceeds_segment_bytes",
        cases=cases.rolling,
        judge=same_list,
        invariant=1,
    ),
    claim("SegmentList", "a_failed_append_leaves_no_new_segment", cases=cases.failing, judge=same_list, invariant=2),
    claim(
        "SegmentList",
        "a_gap_or_overlap_between_segments_raises_value_error",
        cases=cases.gaps,
        judge=same_list,
        invariant=1,
    ),
    claim("SegmentList", "only_whole_old_segments_expire", cases=cases.expiring, judge=same_list, invariant=5),
]
