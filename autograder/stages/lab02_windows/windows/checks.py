"""The checks of `windowed_counts` and `running_counts`."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, claim, same_counts
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab01_wordcount.counting.oracle import words
from autograder.stages.lab02_windows.windows import cases, oracle
from autograder.stages.lab02_windows.windows.comparators import (
    Compare,
    at_each_slide,
    is_numbers,
    no_zeros,
    only,
    same_keys,
    same_slides,
    same_sums,
)

Totals = dict[str, int]
FEW, MOST_GROWTH = 5, 2  # batches of a window that fills up; bytes of a slide of the full window, relative to it

# windowed_counts


AFTER = {
    "sums_equal_a_recount_of_the_window": "a_window_holds_exactly_its_batches",
}


def _of_windows(name: str, compare: Compare, invariant: int) -> Check:
    """Return a check of the rows of every window."""

    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected = oracle.windowed_counts(case["batches"], case["window_batches"], case["slide_batches"])
        return must_answer("windowed_counts", "a DStream", rows) or at_each_slide(expected, rows, compare)

    return claim("windowed_counts", name, cases.streams, judge, invariant=invariant, after=AFTER.get(name, ()))


CLAIMS = [
    _of_windows("a_window_holds_exactly_its_batches", same_keys, invariant=1),  # a key for each batch
    _of_windows("sums_equal_a_recount_of_the_window", same_sums, invariant=2),
    _of_windows("a_key_whose_sum_is_zero_has_no_row", no_zeros, invariant=2),  # an inverse leaves zeros
]


@check("windowed_counts", cases=cases.streams, invariant=1)
def each_slide_gives_one_answer(case: Case, rows: Rows) -> Mismatch | None:
    """Require an answer after each slide and at no other time, even for an empty window."""
    every = case["slide_batches"]
    expected, wrong = oracle.slides(case["batches"], every), must_answer("windowed_counts", "a DStream", rows)
    return wrong or same_slides(expected, rows, every)


@check("windowed_counts", cases=cases.long_window, invariant=2)
def a_slide_reads_what_enters_and_leaves(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the bytes that a slide reads when the window is full and when it holds few batches.

    The least of three slides counts: a slide at which Spark saves its state reads more.
    """
    expected = oracle.windowed_counts(case["batches"], case["window_batches"], 1)
    last = {at: expected[at] for at in case["measured"]}
    wrong = must_answer("windowed_counts", "a DStream", rows) or at_each_slide(last, rows, same_keys)
    read: Any = rows.get("read")
    if wrong or not is_numbers(read, len(case["batches"])):
        return wrong or Mismatch(f"Expected the bytes that each slide reads; yours are {shown(read)}.", None, read)
    few, full = min(read[FEW : FEW + 3]), min(read[len(expected) - 3 : len(expected)])
    if full <= MOST_GROWTH * few:
        return None
    long = f"Expected a slide of a full window of {case['window_batches']} batches to read at most twice"
    sentence = f"{long} the bytes of one of {FEW} batches; by Spark's figures, yours reads {full} and {few}."
    return Mismatch(sentence, MOST_GROWTH * few, full)


@check("windowed_counts", cases=cases.lengths, invariant=13)
def windows_and_slides_must_be_multiples_of_the_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError at the call; lengths that fit are accepted."""
    lengths = f"window_s={case['window_s']}, slide_s={case['slide_s']}"
    call = f"windowed_counts(pairs, {lengths}) on batches of {case['batch_s']} s"
    if oracle.fits_the_batches(**case):
        return must_answer(call, "a DStream", rows)
    return must_reject(call, rows)


@check("windowed_counts", cases=cases.spoken, invariant=2, chain="lab01_wordcount/words")
def windows_count_the_words_of_your_lab_1(case: Case, rows: Rows) -> Mismatch | None:
    """Count the words that the learner's Lab 1 finds in lines (the chain from Lab 1)."""
    pairs = [[[word, 1] for line in lines for word in words(line)] for lines in case["lines"]]
    expected = oracle.windowed_counts(pairs, case["window_batches"], case["slide_batches"])
    return must_answer("windowed_counts", "a DStream", rows) or at_each_slide(expected, rows, same_sums)


# running_counts


def _same_totals(case: Case, rows: Rows, judged: Callable[[set[str], Totals], Totals | None]) -> Mismatch | None:
    """Compare `judged(keys of the batch, all totals)` after each batch; None leaves a batch to other checks."""
    batches, expected = case["batches"], oracle.running_totals(case["batches"])
    answers = [slide["rows"] for slide in rows.get("slides", ())]
    wrong = must_answer("running_counts", "a DStream", rows)
    if not wrong and len(answers) < len(batches):
        sentence = f"Expected totals after each of {len(batches)} batches; yours come after {len(answers)} of them."
        wrong = Mismatch(sentence, len(batches), len(answers))
    for number, totals in enumerate(expected, 1):
        here = {key for key, _ in batches[number - 1]}
        want = judged(here, totals)
        if wrong is None and want is not None:
            got, what = answers[number - 1], f"totals after batch {number}{'' if here else ', which is empty,'}"
            wrong = same_counts(want, only(got, want) if here else got, what=what)
    return wrong


@check("running_counts", cases=cases.totals, invariant=4)
def totals_cover_all_batches_so_far(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the totals of the keys of each batch."""
    return _same_totals(case, rows, lambda here, totals: {key: totals[key] for key in here} or None)


@check("running_counts", cases=cases.totals, invariant=4, after="totals_cover_all_batches_so_far")
def keys_without_new_values_keep_their_totals(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the totals of keys from earlier batches that this batch does not have, including a total of zero."""

    def silent(here: set[str], totals: Totals) -> Totals | None:
        return {key: total for key, total in totals.items() if key not in here} if here else None

    return _same_totals(case, rows, silent)


@check("running_counts", cases=cases.totals, invariant=4, after="keys_without_new_values_keep_their_totals")
def an_empty_batch_changes_no_total(case: Case, rows: Rows) -> Mismatch | None:
    """Compare all totals after an empty batch, even if none exists yet."""
    return _same_totals(case, rows, lambda here, totals: None if here else totals)
