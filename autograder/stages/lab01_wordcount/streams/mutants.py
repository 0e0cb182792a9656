"""Wrong versions of `word_counts`, `local_master`, `on_word` and `standing_counts`, with the checks that catch them."""

from collections import Counter
from operator import add

from pyspark.sql.functions import input_file_name, lower, split

from autograder.checks.mutant_markers import mutant, reference, right

BATCH = "a_batch_has_the_counts_of_its_lines"
EMPTY_BATCH = "a_batch_without_lines_has_no_counts"
CARRIED = "nothing_is_carried_into_the_next_batch"
SOCKET = "batches_from_a_socket_add_up_to_the_whole"
THREADS = "every_receiver_and_every_worker_has_a_thread"
IMPOSSIBLE = "invalid_numbers_of_threads_raise_value_error"
ONE_TWO_THREE = "each_call_returns_the_next_count_of_its_word"
STATE = "the_given_state_holds_the_counts"
TWO_STATES = "two_states_are_independent"
SO_FAR = "the_answer_covers_all_files_so_far"
ONE_ROW = "each_word_has_one_row"
WORDS = "the_table_has_the_words_that_words_finds"

# word_counts


@right
def word_counts(lines):
    return lines.flatMap(words).countByValue()


mutant("counts_lines", [BATCH, SOCKET], ("flatMap(words).", ""))
mutant("one_count_for_each_line", BATCH, ("words).countByValue()", "lambda line: Counter(words(line)).items())"))


@mutant("empty_batch_fails", [BATCH, EMPTY_BATCH, CARRIED, SOCKET])
def word_counts(lines):
    def count(batch):
        batch.first()
        return count_words(batch)

    return lines.transform(count)


@mutant("empty_batch_repeats_the_last", [EMPTY_BATCH, SOCKET])
def word_counts(lines):
    last = []

    def count(batch):
        counts = count_words(batch).collect()
        last[:] = counts or last
        return batch.context.parallelize(list(last), 2)

    return lines.transform(count)


@mutant("state_carried_over", [EMPTY_BATCH, CARRIED, SOCKET])
def word_counts(lines):
    so_far = Counter()

    def add_up(batch):
        so_far.update(dict(count_words(batch).collect()))
        return batch.context.parallelize(list(so_far.items()), 2)

    return lines.transform(add_up)


@mutant("update_state_by_key", [BATCH, EMPTY_BATCH, CARRIED, SOCKET])
def word_counts(lines):
    pairs = lines.flatMap(words).map(lambda word: (word, 1))
    return pairs.updateStateByKey(lambda new, before: sum(new) + (before or 0))


reference("local_master")

mutant("as_many_as_receivers", THREADS, ("receivers + workers", "receivers"))
mutant("receivers_are_workers", THREADS, ("receivers + workers", "workers"))
mutant("every_core", THREADS, ("{receivers + workers}", "*"))
mutant("fewer_than_no_receivers", IMPOSSIBLE, ("receivers < 0", "False"))

reference("on_word")

mutant("count_without_word", [ONE_TWO_THREE, TWO_STATES], ("return word, ", "return "))
mutant(
    "forgets", [ONE_TWO_THREE, STATE, TWO_STATES], ("    state[word] =", "    state = dict(state)\n    state[word] =")
)
mutant("one_count_for_all_words", [ONE_TWO_THREE, STATE, TWO_STATES], ("state.get(word, 0)", "sum(state.values())"))
mutant("starts_at_zero", ONE_TWO_THREE, ("return word, state[word]", "return word, state[word] - 1"))

SEEN = {}


# Uses one global state and ignores the given one.
@mutant("global_state", [STATE, TWO_STATES])
def on_word(state, word):
    SEEN[word] = SEEN.get(word, 0) + 1
    return word, SEEN[word]


@mutant("state_elsewhere", STATE)
def on_word(state, word):
    counts = state.setdefault("counts", {})
    counts[word] = counts.get(word, 0) + 1
    return word, counts[word]


reference("standing_counts")

mutant("counts_lines", [SO_FAR, WORDS], ('explode(split_line("value"))', "lines.value"))
mutant("each_word_of_a_line_once", SO_FAR, ("udf(words", "udf(lambda line: sorted(set(words(line)))"))
mutant(
    "each_file_alone",
    ONE_ROW,
    ('.alias("word")', '.alias("word"), input_file_name().alias("file")'),
    ('groupBy("word").count()', 'groupBy("word", "file").count().drop("file")'),
)
mutant("other_columns", [SO_FAR, ONE_ROW, WORDS], (".count()", '.count().toDF("w", "n")'))
mutant("punctuation_kept", WORDS, ("udf(words, ArrayType(StringType()))", 'lambda value: split(lower(value), " ")'))
mutant(
    "case_kept",
    WORDS,
    ("udf(words, ArrayType(StringType()))", 'lambda value: split(value, "[ ,.]+")'),
    ("groupBy", "where(\"word != ''\").groupBy"),
)
