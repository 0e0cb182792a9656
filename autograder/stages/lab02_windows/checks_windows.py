"""What is claimed of windows and state on a running Spark: `windowed_counts`, `running_counts`, recovery."""

from collections.abc import Mapping
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_items, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab01_wordcount.oracle import words
from autograder.stages.lab02_windows import cases, oracle
from autograder.stages.lab02_windows.readings import (
    are_pairs,
    at_each_slide,
    inputs,
    no_dstream,
    only,
    slides_seen,
    without_zeros,
)

# windowed_counts


def _windows(case: Case) -> dict[int, dict[str, int]]:
    return oracle.windowed_counts(case["batches"], case["window_batches"], case["slide_batches"])


@check("windowed_counts", cases=cases.streams, invariant=1)
def the_window_holds_its_batches_and_no_other(case: Case, rows: Rows) -> Mismatch | None:
    """Which keys have a row: each batch has a key of its own. A row with zero is judged elsewhere."""
    return no_dstream("windowed_counts", rows) or at_each_slide(_windows(case), rows, "counts", _same_keys)


def _same_keys(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    if not are_pairs(got):
        return same_counts(expected, got, what=f"counts of {where}")
    keys = {str(pair[0]) for pair in without_zeros(got)}
    return same_items(sorted(expected), sorted(keys), what=f"keys of {where}")


@check("windowed_counts", cases=cases.streams, invariant=2)
def sums_are_those_of_a_recount(case: Case, rows: Rows) -> Mismatch | None:
    """Of the keys that belong into the window; each has one row."""
    return no_dstream("windowed_counts", rows) or at_each_slide(_windows(case), rows, "counts", _same_sums)


def _same_sums(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    return same_counts(expected, only(got, expected), what=f"counts of {where}")


@check("windowed_counts", cases=cases.streams, invariant=2)
def a_key_that_falls_to_zero_has_no_row(case: Case, rows: Rows) -> Mismatch | None:
    """What an inverse leaves behind when the last value of a key has left."""
    return no_dstream("windowed_counts", rows) or at_each_slide(_windows(case), rows, "counts", _no_zeros)


def _no_zeros(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    zero = next((pair for pair in got if pair[1] == 0), None) if are_pairs(got) else None
    if zero is None:
        return None if are_pairs(got) else same_counts(expected, got, what=f"counts of {where}")
    sentence = f"Expected no row for {shown(zero[0])} in {where}, where its sum is zero; yours has {shown(zero)}."
    return Mismatch(sentence, sorted(expected.items()), got)


@check("windowed_counts", cases=cases.streams, invariant=1)
def there_is_one_answer_every_slide(case: Case, rows: Rows) -> Mismatch | None:
    """After each slide and at no other time, also for a window with nothing in it."""
    expected = oracle.slides(case["batches"], case["slide_batches"])
    return no_dstream("windowed_counts", rows) or same_sequence(
        expected,
        slides_seen(rows, len(case["batches"])),
        what=f"answers with {inputs(case, 'slide_batches')} after the batches",
    )


@check("windowed_counts", cases=cases.lengths, invariant=13)
def lengths_that_do_not_fit_the_batches_are_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError, when it is called; lengths that fit are not."""
    call = f"windowed_counts(pairs, {inputs(case, 'window_s', 'slide_s')}) on batches of {case['batch_s']} s"
    if oracle.fits_the_batches(case["window_s"], case["slide_s"], case["batch_s"]):
        return no_dstream(call, rows)
    if "rejected" in rows:
        return None
    came = f"returns {rows['returned']}" if "returned" in rows else "accepts it"
    return Mismatch(f"Expected {call} to raise ValueError; yours {came}.", "ValueError", rows)


@check("windowed_counts", cases=cases.spoken, invariant=2, chain="lab01_wordcount/words")
def words_of_your_own_lab_1_are_counted_in_windows(case: Case, rows: Rows) -> Mismatch | None:
    """The chain: what lab 1 finds in lines is what is counted here."""
    pairs = [[[word, 1] for line in lines for word in words(line)] for lines in case["lines"]]
    expected = oracle.windowed_counts(pairs, case["window_batches"], case["slide_batches"])
    return no_dstream("windowed_counts", rows) or at_each_slide(expected, rows, "counts", _same_sums)


# running_counts


def _after_batch(case: Case, rows: Rows, number: int) -> tuple[Mismatch | None, Any]:
    """What came after batch `number`, counted from 1, or why nothing did."""
    wrong = no_dstream("running_counts", rows)
    if wrong is None and len(rows["totals"]) < number:
        came = f"{len(rows['totals'])} of {len(case['batches'])} batches were answered"
        wrong = Mismatch(f"Expected totals after every batch; {came}.", len(case["batches"]), len(rows["totals"]))
    return wrong, None if wrong else rows["totals"][number - 1]


def _same_totals(case: Case, rows: Rows, *, present: bool) -> Mismatch | None:
    """Totals of the keys that are in a batch, or of those that are not; batches with nothing are judged elsewhere."""
    for number, (batch, totals) in enumerate(
        zip(case["batches"], oracle.running_totals(case["batches"]), strict=True), 1
    ):
        here = {key for key, _ in batch}
        wrong, got = _after_batch(case, rows, number)
        judged = {key: total for key, total in totals.items() if (key in here) == present}
        if wrong is None and batch:
            wrong = same_counts(judged, only(got, judged), what=f"totals after batch {number}")
        if wrong:
            return wrong
    return None


@check("running_counts", cases=cases.totals, invariant=4)
def totals_cover_all_batches_so_far(case: Case, rows: Rows) -> Mismatch | None:
    """The totals of the keys of each batch."""
    return _same_totals(case, rows, present=True)


@check("running_counts", cases=cases.totals, invariant=4)
def keys_that_stay_away_keep_their_totals(case: Case, rows: Rows) -> Mismatch | None:
    """The totals of the keys that a batch has not, but one before it had."""
    return _same_totals(case, rows, present=False)


@check("running_counts", cases=cases.totals, invariant=4)
def a_batch_with_nothing_changes_no_total(case: Case, rows: Rows) -> Mismatch | None:
    """All totals stand after it, whether there are any or not."""
    everything = oracle.running_totals(case["batches"])
    for number, batch in enumerate(case["batches"], 1):
        wrong, got = _after_batch(case, rows, number)
        if wrong is None and not batch:
            wrong = same_counts(everything[number - 1], got, what=f"totals after batch {number}, which has nothing,")
        if wrong:
            return wrong
    return None


# recoverable_counts


def _same_words(case: Case, rows: Rows, when: str) -> Mismatch | None:
    wrong = _no_context(rows)
    if wrong or not isinstance(rows["totals"], dict):
        return wrong or same_value("an object word -> count", rows["totals"], what="the newest file of totals")
    got = [[word, count] for word, count in rows["totals"].items()]
    return same_counts(oracle.words_of_files(case["files"]), got, what=f"totals {when}")


def _no_context(rows: Rows) -> Mismatch | None:
    """A function that gives no context."""
    if "returned" not in rows:
        return None
    sentence = f"Expected recoverable_counts to return a StreamingContext; yours returns {rows['returned']}."
    return Mismatch(sentence, "StreamingContext", rows["returned"])


@check("recoverable_counts", cases=cases.files, invariant=4)
def totals_cover_the_words_of_all_files(case: Case, rows: Rows) -> Mismatch | None:
    """In a run that nobody disturbs."""
    return _same_words(case, rows, "after the last file")


@check("recoverable_counts", cases=cases.files, invariant=4)
def every_batch_writes_its_totals_to_a_file_of_its_own(case: Case, rows: Rows) -> Mismatch | None:
    """A file comes when the one before it was counted, so that no two are of one batch."""
    wrong, least = _no_context(rows), len(case["files"])
    if wrong or rows["files_of_totals"] >= least:
        return wrong
    expected = f"Expected at least {least} files totals-<ms>.json after {least} batches with lines"
    return Mismatch(f"{expected}; yours has {rows['files_of_totals']}.", least, rows["files_of_totals"])


@check("recoverable_counts", cases=cases.killed, invariant=12)
def a_run_that_was_killed_ends_with_the_totals_of_one_that_never_died(case: Case, rows: Rows) -> Mismatch | None:
    """Kill -9 after the first file, a new start on the same folders, and then the other file."""
    wrong = _same_words(case, rows, f"of a run that was killed after file {case['kill_after_files']}")
    return wrong or same_value(1, rows["restarts"], what="the number of new starts")
