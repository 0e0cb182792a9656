"""The checks of the parts of a log."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claim, same_sequence
from autograder.stages.lab03_log.log.comparators import same_answers, step_of
from autograder.stages.lab03_log.segments import cases, oracle

# recover_segment


# SparseIndex


# Segment


def same_segment(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the answers to a script and the calls of `index.add`."""
    (expected, placed, _), opened = oracle.written(case), f"Segment(log, {case['base_offset']}, index)"
    last = step_of(opened, case["script"], len(case["script"]) - 1)
    wrong = same_answers(opened, case["script"], expected, rows)
    what = f"the calls of index.add after {last}"
    return wrong or same_sequence(placed, rows.get("added"), what=what)


OPENING = ("reopen", "reopen_at", "torn", "flipped")  # steps after which the segment has a new index


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


CLAIMS = [
    claim(
        "Segment",
        "an_invalid_batch_is_rejected_and_nothing_is_written",
        cases.broken,
        same_segment,
        invariant=2,
        after="batches_start_with_the_one_that_holds_the_offset",
    ),
    claim(
        "Segment",
        "a_full_disk_leaves_the_segment_unchanged",
        cases.full,
        same_segment,
        invariant=2,
        after="batches_start_with_the_one_that_holds_the_offset",
    ),
]
