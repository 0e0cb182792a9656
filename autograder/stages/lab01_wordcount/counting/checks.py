"""The checks of `words` and `count_words`.

A check judges values, never code. The checks of a task do not judge earlier tasks again.
"""

import json
from collections import Counter
from typing import Any
from unicodedata import is_normalized

from autograder.checks import Case, Mismatch, Rows, check, claim, same_counts, same_value, throughput
from autograder.checks.compare import shown
from autograder.checks.pairs import same_again
from autograder.checks.rejection import must_answer
from autograder.stages.lab01_wordcount.counting import cases, workload
from autograder.stages.lab01_wordcount.counting.oracle import word_counts, words

SHORT = 12
JOBS = "the number of Spark jobs started by the call of count_words"


def _same_words(case: Case, rows: Rows) -> Mismatch | None:
    line, expected = case["line"], words(case["line"])
    got = rows["words"]
    if isinstance(got, list) and max(len(expected), len(got)) > SHORT:
        return _same_long_list(expected, got, line)
    written = shown(line) if is_normalized("NFC", line) else json.dumps(line)  # a combining accent is not seen
    return same_value(expected, got, what=f"words({written})")


def _same_long_list(expected: list[str], got: list[Any], line: str) -> Mismatch | None:
    for at, (want, have) in enumerate(zip(expected, got, strict=False)):
        if want != have:
            return same_value(want, have, what=f"word {at + 1} of {shown(line, 60)}")
    return same_value(len(expected), len(got), what=f"the number of words in {shown(line, 60)}")


AFTER = {
    "no_word_is_empty": "words_are_runs_of_letters_and_digits",
    "an_apostrophe_inside_a_word_belongs_to_it": "words_are_runs_of_letters_and_digits",
    "upper_and_lower_case_give_the_same_word": "letters_of_every_language_belong_to_words",
}

CLAIMS = [
    claim("words", name, made, _same_words, invariant=invariant, after=AFTER.get(name, ()))
    for name, made, invariant in (
        ("words_are_runs_of_letters_and_digits", cases.punctuated, 1),
        ("no_word_is_empty", cases.gaps, 1),
        ("an_apostrophe_inside_a_word_belongs_to_it", cases.apostrophes, 2),
        ("upper_and_lower_case_give_the_same_word", cases.mixed_case, 3),
        ("letters_of_every_language_belong_to_words", cases.languages, 3),
        ("words_keep_their_order_and_repeats", cases.repeated, 1),
    )
]


def _no_rdd(rows: Rows) -> Mismatch | None:
    return must_answer("count_words", "an RDD", rows)


def _no_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Require right counts where no word repeats, so that no check accepts an answer without counts."""
    expected = word_counts(case["lines"])
    return _no_rdd(rows) or (same_counts(expected, rows["counts"]) if max(expected.values(), default=1) == 1 else None)


@check("count_words", cases=cases.texts, invariant=4)
def every_occurrence_is_counted(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the counts of all lines in one partition, where nothing has to be merged."""
    expected = word_counts(case["lines"])
    whole = rows["runs"][0]
    return _no_rdd(whole) or same_counts(expected, whole["counts"])


@check("count_words", cases=cases.texts, invariant=4)
def partitions_do_not_change_the_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the learner's own counts of the same lines in one partition and in several."""
    whole, split = rows["runs"]
    wrong = _no_counts(case, whole) or _no_rdd(split)
    names = ("in 1 partition", f"in {split['partitions']} partitions")
    return wrong or same_again(whole["counts"], split["counts"], names=names)


@check("count_words", cases=cases.texts, invariant=5)
def calling_it_starts_no_job(case: Case, rows: Rows) -> Mismatch | None:
    """Require that the call starts no Spark job; counts that pass through the driver need one."""
    jobs = (same_value(0, run["jobs_when_called"], what=JOBS) for run in rows["runs"])
    return _no_counts(case, rows["runs"][0]) or next((wrong for wrong in jobs if wrong), None)


@check("count_words", cases=cases.bar_separated, invariant=1)
def it_calls_your_words(case: Case, rows: Rows) -> Mismatch | None:
    """Replace `words` by a stub that splits at vertical bars; the counts must follow."""
    separator, run = case["separator"], rows["runs"][0]
    expected = Counter(word for line in case["lines"] for word in line.split(separator))
    wrong = _no_rdd(run) or same_counts(expected, run["counts"])
    if wrong is None or "returned" in run:
        return wrong
    sentence = f'count_words must call words, and in this check words splits a line at "{separator}". {wrong.sentence}'
    return Mismatch(sentence, wrong.expected, wrong.got)


@throughput("count_words", workload=workload.workload, unit="words")
def counting_is_faster_than_the_slides_pipeline(content: bytes, rows: Rows) -> Mismatch | None:
    """Judge one turn: the counts are right, and the workers computed them, not the driver."""
    wrong = _no_rdd(rows) or workload.same_counts_at_once(content, rows["counts"])
    return wrong or same_value(0, rows["jobs_when_called"], what=JOBS)
