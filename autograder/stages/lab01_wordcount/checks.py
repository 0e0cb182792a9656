"""What is claimed of each task of Lab 1, one claim a check. Points are in course.yml.

A check says nothing about code, only about values. What an earlier task does is not judged again in a later one.
"""

from collections import Counter
from typing import Any

from autograder.checks import Case, Check, Mismatch, Rows, check, same_counts, same_value, throughput
from autograder.checks.compare import shown
from autograder.stages.lab01_wordcount import cases, checks_deliver, checks_streams, oracle, workload_text
from autograder.stages.lab01_wordcount.readings import is_count, same_again

SHORT = 12


# words


def _same_words(case: Case, rows: Rows) -> Mismatch | None:
    line, got = case["line"], rows["words"]
    expected = oracle.words(line)
    if isinstance(got, list) and max(len(expected), len(got)) > SHORT:
        return _same_long_list(expected, got, line)
    return same_value(expected, got, what=f"words({shown(line)})")


def _same_long_list(expected: list[str], got: list[Any], line: str) -> Mismatch | None:
    for at, (want, have) in enumerate(zip(expected, got, strict=False)):
        if want != have:
            return same_value(want, have, what=f"word {at + 1} of {shown(line, 60)}")
    return same_value(len(expected), len(got), what=f"the number of words in {shown(line, 60)}")


@check("words", cases=cases.punctuated, invariant=1)
def words_are_runs_of_letters_and_digits(case: Case, rows: Rows) -> Mismatch | None:
    """Digits belong to words; punctuation, underscores and emoji do not."""
    return _same_words(case, rows)


@check("words", cases=cases.gaps, invariant=1)
def no_word_is_empty(case: Case, rows: Rows) -> Mismatch | None:
    """However much space there is."""
    return _same_words(case, rows)


@check("words", cases=cases.apostrophes, invariant=2)
def an_apostrophe_belongs_to_the_word_it_is_inside(case: Case, rows: Rows) -> Mismatch | None:
    """Kept inside, left out at the edge."""
    return _same_words(case, rows)


@check("words", cases=cases.mixed_case, invariant=3)
def upper_and_lower_case_are_one_word(case: Case, rows: Rows) -> Mismatch | None:
    """Case folding, which makes STRASSE and Straße one word."""
    return _same_words(case, rows)


@check("words", cases=cases.languages, invariant=3)
def letters_of_every_language_belong_to_words(case: Case, rows: Rows) -> Mismatch | None:
    """Accents, other alphabets, other digits."""
    return _same_words(case, rows)


@check("words", cases=cases.repeated, invariant=1)
def words_keep_their_order_and_repeats(case: Case, rows: Rows) -> Mismatch | None:
    """A list of words, not the set of them."""
    return _same_words(case, rows)


# count_words


def _no_rdd(rows: Rows) -> Mismatch | None:
    if "returned" not in rows:
        return None
    return Mismatch(
        f"Expected count_words to return an RDD; yours returns {rows['returned']}.", "RDD", rows["returned"]
    )


@check("count_words", cases=cases.texts, invariant=4)
def every_occurrence_is_counted(case: Case, rows: Rows) -> Mismatch | None:
    """All lines in one partition, so that nothing has to be merged."""
    whole = rows["runs"][0]
    return _no_rdd(whole) or same_counts(oracle.counts(case["lines"]), whole["counts"])


@check("count_words", cases=cases.texts, invariant=4)
def partitions_do_not_change_the_counts(case: Case, rows: Rows) -> Mismatch | None:
    """The learner's own counts of the same lines in one partition and in several."""
    whole, split = rows["runs"]
    wrong = _no_rdd(whole) or _no_rdd(split)
    names = ("in 1 partition", f"in {split['partitions']} partitions")
    return wrong or same_again(whole["counts"], split["counts"], names=names)


@check("count_words", cases=cases.texts, invariant=5)
def calling_it_starts_no_job(case: Case, rows: Rows) -> Mismatch | None:
    """Describing is not running; counts that pass through the driver start a job."""
    for run in rows["runs"]:
        wrong = same_value(0, run["jobs_when_called"], what="the number of Spark jobs that calling count_words starts")
        if wrong:
            return wrong
    return None


@check("count_words", cases=cases.bar_separated, invariant=1)
def what_a_word_is_stays_with_words(case: Case, rows: Rows) -> Mismatch | None:
    """In this check, `words` splits at bars, and so must the counts."""
    run = rows["runs"][0]
    wrong = _no_rdd(run) or same_counts(oracle.counts_of_split(case["lines"], case["separator"]), run["counts"])
    if wrong is None or "returned" in run:
        return wrong
    sentence = f'count_words has to call words, which in this check splits at "{case["separator"]}". {wrong.sentence}'
    return Mismatch(sentence, wrong.expected, wrong.got)


@throughput("count_words", workload=workload_text.workload, unit="words")
def counting_is_faster_than_the_slides_pipeline(content: bytes, rows: Rows) -> Mismatch | None:
    """One turn: right counts, and made by the cluster rather than by the driver."""
    wrong = _no_rdd(rows) or workload_text.same_counts_at_once(content, rows["counts"])
    return wrong or same_value(0, rows["jobs_when_called"], what="the number of jobs that calling count_words starts")


# local_master


@check("local_master", cases=cases.machines, invariant=7)
def every_receiver_and_every_worker_has_a_thread(case: Case, rows: Rows) -> Mismatch | None:
    """A receiver keeps its thread; the workers need theirs beside it."""
    expected = oracle.local_master(case["receivers"], case["workers"])
    return same_value(expected, rows["master"] if "master" in rows else _refusal(rows), what=_master(case))


@check("local_master", cases=cases.impossible_machines, invariant=7)
def impossible_numbers_of_threads_are_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError, rather than with a master that Spark cannot use."""
    if "rejected" in rows:
        return None
    return Mismatch(f"Expected {_master(case)} to raise ValueError; yours returns {shown(rows['master'])}.")


def _master(case: Case) -> str:
    return f"local_master(receivers={case['receivers']}, workers={case['workers']})"


def _refusal(rows: Rows) -> str:
    return f"ValueError: {rows['rejected']}"


# on_word


@check("on_word", cases=cases.one_state, invariant=4)
def counts_of_a_word_come_out_one_two_three(case: Case, rows: Rows) -> Mismatch | None:
    """Each event is answered at once, with the count so far."""
    return _same_answers(case, oracle.occurrences(case["events"]), rows["answers"])


@check("on_word", cases=cases.one_state, invariant=8)
def the_state_that_was_given_holds_the_counts(case: Case, rows: Rows) -> Mismatch | None:
    """Who calls keeps the state, and could store it."""
    expected = dict(Counter(word for _, word in case["events"]))
    wrong = None if isinstance(rows["states"][0], dict) else same_value(expected, rows["states"][0], what="the state")
    return wrong or same_counts(expected, [[*item] for item in rows["states"][0].items()], what="entries in the state")


@check("on_word", cases=cases.several_states, invariant=8)
def two_states_know_nothing_of_each_other(case: Case, rows: Rows) -> Mismatch | None:
    """Every state counts on its own, from whatever number the learner's counts begin."""
    answers = rows["answers"]
    if not all(is_count(answer) for answer in answers):
        return _same_answers(case, oracle.occurrences(case["events"]), answers)
    begins_at = answers[0][1]
    expected = [(word, count - 1 + begins_at) for word, count in oracle.occurrences(case["events"])]
    return _same_answers(case, expected, answers)


def _same_answers(case: Case, expected: list[tuple[str, int]], got: list[Any]) -> Mismatch | None:
    for at, (want, have) in enumerate(zip(expected, got, strict=True)):
        state, word = case["events"][at]
        wrong = same_value(want, have, what=f"the answer to event {at + 1}, {shown(word)} for state {state},")
        if wrong:
            return wrong
    return None


# A stage's checks are what this module holds: those of the two modules with more claims belong to it.
globals().update(
    (claim.name, claim)
    for module in (checks_streams, checks_deliver)
    for claim in vars(module).values()
    if isinstance(claim, Check)
)
