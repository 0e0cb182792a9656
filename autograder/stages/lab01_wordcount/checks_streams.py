"""What is claimed of the two standing queries, `word_counts` on a DStream and `standing_counts` on a DataFrame."""

from collections import Counter
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_items, same_value
from autograder.checks.compare import shown
from autograder.stages.lab01_wordcount import cases, oracle
from autograder.stages.lab01_wordcount.readings import added_up, same_again

# word_counts


def _no_dstream(rows: Rows) -> Mismatch | None:
    if "keeps_state" in rows:
        sentence = "Expected each batch to be counted alone; yours keeps state from batch to batch."
        return Mismatch(sentence, "no state", "state")
    if "returned" not in rows:
        return None
    sentence = f"Expected word_counts to return a DStream; yours returns {rows['returned']}."
    return Mismatch(sentence, "DStream", rows["returned"])


def _batch(case: Case, rows: Rows, number: int) -> tuple[Mismatch | None, Any]:
    """The rows of one batch, or why there are none."""
    wrong = _no_dstream(rows)
    if wrong is None and len(rows["batches"]) <= number:
        came = f"{len(rows['batches'])} of {len(case['batches'])} batches were counted"
        wrong = Mismatch(f"Expected counts of every batch; {came} in time.", len(case["batches"]), len(rows["batches"]))
    return wrong, None if wrong else rows["batches"][number]


@check("word_counts", cases=cases.batches, invariant=6)
def a_batch_has_the_counts_of_its_lines(case: Case, rows: Rows) -> Mismatch | None:
    """The first batch, before which there is nothing."""
    wrong, got = _batch(case, rows, 0)
    return wrong or same_counts(oracle.counts(case["batches"][0]), got, what="counts of the first batch")


@check("word_counts", cases=cases.batches, invariant=6)
def a_batch_without_lines_has_no_counts(case: Case, rows: Rows) -> Mismatch | None:
    """The second batch: neither an error nor the counts of the batch before it."""
    wrong, got = _batch(case, rows, 1)
    return wrong or same_value([], got, what="the counts of a batch without lines")


@check("word_counts", cases=cases.batches, invariant=6)
def nothing_is_carried_into_the_next_batch(case: Case, rows: Rows) -> Mismatch | None:
    """The first batch comes again as the third, and has to give the learner's same counts again."""
    wrong, first = _batch(case, rows, 0)
    if wrong is None:
        wrong, again = _batch(case, rows, 2)
    return wrong or same_again(first, again, names=("in batch 1", "in batch 3"))


@check("word_counts", cases=cases.over_a_socket, invariant=6)
def batches_from_a_socket_add_up_to_the_whole(case: Case, rows: Rows) -> Mismatch | None:
    """Wherever the batches were cut, their sum is the count of all lines."""
    wrong = _no_dstream(rows)
    if wrong:
        return wrong
    expected = oracle.counts(line for part in case["parts"] for line in part)
    return same_counts(expected, added_up(rows["counts"]), what="counts, added up over all batches,")


# standing_counts


def _no_table(rows: Rows) -> Mismatch | None:
    if "returned" in rows:
        sentence = f"Expected standing_counts to return a streaming DataFrame; yours returns {rows['returned']}."
        return Mismatch(sentence, "streaming DataFrame", rows["returned"])
    return same_items(["word", "count"], rows["columns"], what="columns")


def _table(rows: Rows, number: int) -> list[list[Any]]:
    """Rows as (word, count), whichever column comes first."""
    swapped = rows["columns"][0] == "count"
    return [row[::-1] if swapped else row for row in rows["tables"][number]]


@check("standing_counts", cases=cases.files, invariant=8)
def the_answer_covers_all_files_so_far(case: Case, rows: Rows) -> Mismatch | None:
    """After each of the plain files; several rows of one word are added up here."""
    wrong = _no_table(rows)
    for number in (0, 1):
        expected = oracle.counts(line for file in case["files"][: number + 1] for line in file)
        what = f"counts after file {number + 1}"
        wrong = wrong or same_counts(expected, added_up(_table(rows, number)), what=what)
    return wrong


@check("standing_counts", cases=cases.files, invariant=4)
def each_word_has_one_row(case: Case, rows: Rows) -> Mismatch | None:
    """In the final table."""
    wrong = _no_table(rows)
    if wrong:
        return wrong
    times = Counter(row[0] for row in _table(rows, -1))
    twice = next((word for word, count in times.items() if count > 1), None)
    if twice is None:
        return None
    return same_value(1, times[twice], what=f"the number of rows of {shown(twice)} in the table")


@check("standing_counts", cases=cases.files, invariant=3)
def words_in_the_table_are_what_words_finds(case: Case, rows: Rows) -> Mismatch | None:
    """The last file has upper case, punctuation and an empty line."""
    wrong = _no_table(rows)
    if wrong:
        return wrong
    expected = set(oracle.counts(line for file in case["files"] for line in file))
    got = {str(row[0]) for row in _table(rows, -1)}
    for extra in sorted(got - expected, key=len):
        return _not_a_word(extra, case["files"][-1], expected, got)
    return same_items(sorted(expected), sorted(got), what="words")


def _not_a_word(extra: str, lines: list[str], expected: set[str], got: set[str]) -> Mismatch:
    """Name the shortest line that has it, if there is one, and the words that it should have given."""
    line = min((each for each in lines if extra.casefold() in each.casefold()), key=len, default="")
    sentence = f"Expected for {shown(line)} the words {shown(oracle.words(line))}; your table has {shown(extra)}."
    return Mismatch(sentence, sorted(expected), sorted(got))
