"""The checks of `word_counts`, `local_master`, `on_word` and `standing_counts`."""

from collections import Counter
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.pairs import added_up, are_counts, is_count, same_again, some_counts
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab01_wordcount.counting.oracle import word_counts, words
from autograder.stages.lab01_wordcount.streams import cases, oracle
from autograder.stages.lab01_wordcount.streams.drive import TIMES

# word_counts


def _no_dstream(rows: Rows) -> Mismatch | None:
    if "keeps_state" in rows:
        sentence = "Expected each batch to be counted alone; yours keeps state from batch to batch."
        return Mismatch(sentence, "no state", "state")
    return must_answer("word_counts", "a DStream", rows)


def _in_ones(counts: Any) -> Any:
    """Turn counts from the stub for `count_words` into the real ones; leave other counts as they are."""
    if not are_counts(counts) or any(count % TIMES for _, count in counts):
        return counts
    return [[word, count // TIMES] for word, count in counts]


def _batch(case: Case, rows: Rows, number: int) -> tuple[Mismatch | None, Any]:
    """Return the rows of one batch, or the reason why it has none."""
    wrong = _no_dstream(rows)
    if wrong is None and len(rows["batches"]) <= number:
        counted, batches = len(rows["batches"]), len(case["batches"])
        sentence = f"Expected counts for every batch; only {counted} of {batches} batches were counted in time."
        wrong = Mismatch(sentence, batches, counted)
    return wrong, None if wrong else _in_ones(rows["batches"][number])


def _counted_batch(case: Case, rows: Rows) -> tuple[Mismatch | None, Any]:
    """Return the first batch, which must have counts before the others can be judged."""
    wrong, first = _batch(case, rows, 0)
    return wrong or some_counts(first, what="counts of the first batch"), first


@check("word_counts", cases=cases.batches, invariant=6)
def a_batch_has_the_counts_of_its_lines(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the counts of the first batch, which has no predecessor."""
    expected = word_counts(case["batches"][0])
    wrong, got = _batch(case, rows, 0)
    return wrong or same_counts(expected, got, what="counts of the first batch")


@check("word_counts", cases=cases.batches, invariant=6, after="nothing_is_carried_into_the_next_batch")
def a_batch_without_lines_has_no_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Require that the second batch gives neither an error nor the counts of the batch before it."""
    wrong, _ = _counted_batch(case, rows)
    if wrong is None:
        wrong, got = _batch(case, rows, 1)
    return wrong or same_value([], got, what="the counts of a batch without lines")


@check("word_counts", cases=cases.batches, invariant=6, after="a_batch_has_the_counts_of_its_lines")
def nothing_is_carried_into_the_next_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Require the third batch, which equals the first, to give the same counts as the learner's first."""
    wrong, first = _counted_batch(case, rows)
    if wrong is None:
        wrong, again = _batch(case, rows, 2)
    return wrong or same_again(first, again, names=("in batch 1", "in batch 3"))


@check("word_counts", cases=cases.over_a_socket, invariant=6, after="a_batch_without_lines_has_no_counts")
def batches_from_a_socket_add_up_to_the_whole(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the sum over all batches with the count of all lines, wherever batches begin and end."""
    expected = word_counts(line for part in case["parts"] for line in part)
    wrong = _no_dstream(rows)
    if wrong:
        return wrong
    return same_counts(expected, added_up(_in_ones(rows["counts"])), what="counts, added up over all batches,")


# local_master


@check("local_master", cases=cases.machines, invariant=7)
def every_receiver_and_every_worker_has_a_thread(case: Case, rows: Rows) -> Mismatch | None:
    """Require one thread for each receiver, which occupies it, and one for each worker."""
    call = _master(case)
    return must_answer(call, "a master URL", rows) or same_value(oracle.local_master(**case), rows["master"], what=call)


@check("local_master", cases=cases.impossible_machines, invariant=7)
def invalid_numbers_of_threads_raise_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError for invalid numbers, and none for the smallest valid ones."""
    if oracle.local_master(**case) is None:
        return must_reject(_master(case), rows)
    return must_answer(_master(case), "a master URL", rows)


def _master(case: Case) -> str:
    return f"local_master(receivers={case['receivers']}, workers={case['workers']})"


# on_word


@check("on_word", cases=cases.one_state, invariant=4)
def each_call_returns_the_next_count_of_its_word(case: Case, rows: Rows) -> Mismatch | None:
    """Require each call to return the word's count so far."""
    return _same_answers(case, oracle.occurrences(**case), rows["answers"])


@check("on_word", cases=cases.given_states, invariant=8, after="each_call_returns_the_next_count_of_its_word")
def the_given_state_holds_the_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the state, which the caller keeps and could store, with the counts."""
    expected = dict(Counter(case["states"][0]) + Counter(word for _, word in case["events"]))
    got = rows["states"][0]
    wrong = None if isinstance(got, dict) else same_value(expected, got, what="the state")
    return wrong or same_counts(expected, [[*item] for item in got.items()], what="entries in the state")


@check("on_word", cases=cases.several_states, invariant=8, after="each_call_returns_the_next_count_of_its_word")
def two_states_are_independent(case: Case, rows: Rows) -> Mismatch | None:
    """Require separate counts in each state, whatever number the learner's counts begin with."""
    right = oracle.occurrences(**case)
    answers = rows["answers"]
    if not all(is_count(answer) for answer in answers):
        return _same_answers(case, right, answers)
    begins_at = answers[0][1]
    return _same_answers(case, [(word, count - 1 + begins_at) for word, count in right], answers)


def _same_answers(case: Case, expected: list[tuple[str, int]], got: list[Any]) -> Mismatch | None:
    for at, (want, have) in enumerate(zip(expected, got, strict=True)):
        state, word = case["events"][at]
        wrong = same_value(want, have, what=f"the result of call {at + 1}, on_word(state_{state}, {shown(word)}),")
        if wrong:
            return wrong
    return None


# standing_counts


def _no_table(rows: Rows) -> Mismatch | None:
    wrong = must_answer("standing_counts", "a streaming DataFrame", rows)
    return wrong or same_items(["word", "count"], rows["columns"], what="columns")


def _table(rows: Rows, number: int) -> list[list[Any]]:
    """Return rows as (word, count), whichever column comes first."""
    swapped = rows["columns"][0] == "count"
    return [row[::-1] if swapped else row for row in rows["tables"][number]]


def _final_words(rows: Rows) -> Counter[str]:
    """Return how many rows each word has in the final table."""
    return Counter(str(row[0]) for row in _table(rows, -1))


@check("standing_counts", cases=cases.files, invariant=8)
def the_answer_covers_all_files_so_far(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the counts after each of the plain files; several rows of one word are added up here."""
    expected = [word_counts(line for file in case["files"][: number + 1] for line in file) for number in (0, 1)]
    wrong = _no_table(rows)
    for number in (0, 1):
        what = f"counts after file {number + 1}"
        wrong = wrong or same_counts(expected[number], added_up(_table(rows, number)), what=what)
    return wrong


@check("standing_counts", cases=cases.files, invariant=4, after="the_answer_covers_all_files_so_far")
def each_word_has_one_row(case: Case, rows: Rows) -> Mismatch | None:
    """Require one row for each word in the final table."""
    wrong = _no_table(rows)
    if wrong:
        return wrong
    times = _final_words(rows)
    if not times:
        return Mismatch("Expected a row for each word; your table has no rows.")
    twice, count = max(sorted(times.items()), key=lambda item: item[1])
    return same_value(1, count, what=f"the number of rows of {shown(twice)} in the table")


@check("standing_counts", cases=cases.files, invariant=3, after="the_answer_covers_all_files_so_far")
def the_table_has_the_words_that_words_finds(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the words; the last file has upper case, punctuation and an empty line."""
    expected = set(word_counts(line for file in case["files"] for line in file))
    words_of = {line: words(line) for line in case["files"][-1]}
    wrong = _no_table(rows)
    if wrong:
        return wrong
    got = set(_final_words(rows))
    for extra in sorted(got - expected, key=lambda word: (len(word), word)):
        return _not_a_word(extra, words_of, expected, got)
    return same_items(sorted(expected), sorted(got), what="words")


def _not_a_word(extra: str, words_of: dict[str, list[str]], expected: set[str], got: set[str]) -> Mismatch:
    """Name the shortest line that has the extra word, and the words that this line holds."""
    line = min((each for each in words_of if extra.casefold() in each.casefold()), key=len, default="")
    sentence = (
        f"Expected the words of {shown(line)} to be {shown(words_of.get(line, []))}; your table has {shown(extra)}."
    )
    return Mismatch(sentence, sorted(expected), sorted(got))
