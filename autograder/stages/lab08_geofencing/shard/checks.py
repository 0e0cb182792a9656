"""The checks of `batch_of_shard`."""

from autograder.checks import Case, Mismatch, Rows, check
from autograder.stages.lab08_geofencing.shard import cases, comparators, oracle


@check("batch_of_shard", cases=cases.first_batch, invariant=8)
def a_batch_gives_the_events_that_its_watermark_has_reached(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the events of a first batch."""
    return comparators.first_wrong(case, oracle.batches(case), rows, with_kept=False)


@check(
    "batch_of_shard",
    cases=cases.several_batches,
    invariant=8,
    after="a_batch_gives_the_events_that_its_watermark_has_reached",
)
def the_next_batch_goes_on_with_what_was_kept(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the events of all batches, and what each of them keeps."""
    return comparators.first_wrong(case, oracle.batches(case), rows, with_kept=True)


@check("batch_of_shard", cases=cases.unreadable, invariant=9)
def one_shard_reports_an_unreadable_record(case: Case, rows: Rows) -> Mismatch | None:
    """Compare all events, those of the unreadable records included."""
    pairs = zip(oracle.batches(case), oracle.refused(case), strict=True)
    expected = [{"events": each["events"] + refused} for each, refused in pairs]
    wrong = comparators.first_wrong(case, expected, rows, with_kept=False)
    if wrong is None:
        return None
    sentence = f"{wrong.sentence} In this case, reports_fences is {case['reports_fences']}."
    return Mismatch(sentence, wrong.expected, wrong.got)
