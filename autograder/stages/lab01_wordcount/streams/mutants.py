"""Wrong versions of `word_counts`, `local_master`, `on_word`, `standing_counts`, each with the checks that must catch it."""

from collections import Counter

from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StringType

from autograder.verify.marks import mutant, right

BATCH_COUNTS = "a_batch_has_the_counts_of_its_lines"
BATCH_WITHOUT = "a_batch_without_lines_has_no_counts"
BATCHES_FROM = "batches_from_a_socket_add_up_to_the_whole"
COUNTS_WORD = "counts_of_a_word_come_out_one_two_three"
WORD_ROW = "each_word_has_one_row"
RECEIVER_WORKER = "every_receiver_and_every_worker_has_a_thread"
IMPOSSIBLE_NUMBERS = "impossible_numbers_of_threads_are_refused"
NOTHING_CARRIED = "nothing_is_carried_into_the_next_batch"
ANSWER_COVERS = "the_answer_covers_all_files_so_far"
STATE_WAS = "the_state_that_was_given_holds_the_counts"
TWO_STATES = "two_states_know_nothing_of_each_other"
WORDS_TABLE = "words_in_the_table_are_what_words_finds"

# word_counts


@right
def word_counts(lines):
    return lines.flatMap(words).countByValue()


mutant(
    "a_batch_each_word_once",
    [BATCH_COUNTS, BATCHES_FROM],
    ("countByValue(", "transform(lambda batch: batch.distinct()).map(lambda word: (word, 1)"),
)  # Says which words a batch has, not how often.
mutant(
    "counts_lines", [BATCH_COUNTS, BATCHES_FROM], ("flatMap(words).countByValue", "countByValue")
)  # Counts lines, not words.
mutant(
    "empty_batch_fails",
    [BATCH_COUNTS, BATCH_WITHOUT, NOTHING_CARRIED, BATCHES_FROM],
    (
        "    return lines.flatMap(words).countByValue()",
        """    def count(batch):
        batch.first()
        return count_words(batch)

    return lines.transform(count)""",
    ),
)  # Takes a first line for granted, which a batch without lines has not.
mutant(
    "empty_batch_repeats_the_last",
    [BATCH_WITHOUT, BATCHES_FROM],
    (
        "    return lines.flatMap(words).countByValue()",
        """    last = []

    def count(batch):
        counts = count_words(batch).collect()
        last[:] = counts or last
        return batch.context.parallelize(list(last), 2)

    return lines.transform(count)""",
    ),
)  # A batch without lines gives the counts of the batch before it.
mutant(
    "one_count_for_each_line", BATCH_COUNTS, ("words).countByValue(", "lambda line: Counter(words(line)).items()")
)  # Counts the words of each line alone, so a batch has several counts of a word.
mutant(
    "state_carried_over",
    [BATCH_WITHOUT, NOTHING_CARRIED, BATCHES_FROM],
    (
        "    return lines.flatMap(words).countByValue()",
        """    so_far = {}

    def add_up(batch):
        for word, count in count_words(batch).collect():
            so_far[word] = so_far.get(word, 0) + count
        return batch.context.parallelize(list(so_far.items()), 2)

    return lines.transform(add_up)""",
    ),
)  # Adds the counts of all batches so far to those of each new one.
mutant(
    "update_state_by_key",
    [BATCH_COUNTS, BATCH_WITHOUT, NOTHING_CARRIED, BATCHES_FROM],
    (
        "    return lines.flatMap(words).countByValue()",
        """    pairs = lines.flatMap(words).map(lambda word: (word, 1))
    return pairs.updateStateByKey(lambda new, before: sum(new) + (before or 0))""",
    ),
)  # Keeps a running count in Spark's state.
# local_master


@right
def local_master(receivers, workers):
    if receivers < 0 or workers < 1:
        raise ValueError(f"expected receivers >= 0 and workers >= 1, got {receivers} and {workers}")
    return f"local[{receivers + workers}]"


mutant(
    "as_many_as_receivers", RECEIVER_WORKER, ("receivers + workers", "receivers")
)  # As many threads as receivers: all lines come in and none is ever counted.
mutant(
    "every_core", RECEIVER_WORKER, ('f"local[{receivers + workers}', '"local[*')
)  # All cores of the machine, however many they are.
mutant(
    "fewer_than_no_receivers", IMPOSSIBLE_NUMBERS, ("receivers < 0 or workers", "workers")
)  # Accepts a negative number of receivers.
mutant("nobody_works", IMPOSSIBLE_NUMBERS, ("< 1", "< 0"))  # Accepts no worker at all.
mutant("one_too_many", RECEIVER_WORKER, ("+ workers", "+ workers + 1"))  # One thread more than there is work for.
mutant(
    "receivers_are_workers", RECEIVER_WORKER, ("receivers + workers", "workers")
)  # Lets the receivers do the work: threads for the workers alone.
# on_word


@right
def on_word(state, word):
    state[word] = state.get(word, 0) + 1
    return word, state[word]


mutant("count_without_word", [COUNTS_WORD, TWO_STATES], ("word, state", "state"))  # Returns the count alone.
mutant(
    "forgets",
    [COUNTS_WORD, STATE_WAS, TWO_STATES],
    (
        "def on_word(state, word):",
        """def on_word(state, word):
    state = dict(state)""",
    ),
)  # Counts in a copy, so every time is the first time.

SEEN = {}


# Keeps one state for everybody, whatever state it is given.
@mutant("global_state", [STATE_WAS, TWO_STATES])
def on_word(state, word):
    SEEN[word] = SEEN.get(word, 0) + 1
    return word, SEEN[word]


mutant(
    "one_count_for_all_words", [COUNTS_WORD, STATE_WAS, TWO_STATES], ("state.get(word, 0", "sum(state.values()")
)  # Counts events, not words.
mutant(
    "starts_at_zero",
    COUNTS_WORD,
    (
        """    state[word] = state.get(word, 0) + 1
    return word, state[word]""",
        """    before = state.get(word, 0)
    state[word] = before + 1
    return word, before""",
    ),
)  # The first time is counted as 0.
mutant(
    "state_elsewhere",
    STATE_WAS,
    (
        """    state[word] = state.get(word, 0) + 1
    return word, state[word]""",
        """    counts = state.setdefault("counts", {})
    counts[word] = counts.get(word, 0) + 1
    return word, counts[word]""",
    ),
)  # Counts in a place of its own inside the state.
# standing_counts


# Splits well and keeps upper and lower case apart.
@mutant("case_kept", WORDS_TABLE)
def standing_counts(lines):
    found = F.split(F.col("value"), "[ ,.]+")
    return lines.select(F.explode(found).alias("word")).where("word != ''").groupBy("word").count()


# Counts equal lines, not words.
@mutant("counts_lines", [ANSWER_COVERS, WORDS_TABLE])
def standing_counts(lines):
    return lines.withColumnRenamed("value", "word").groupBy("word").count()


# Counts each file alone, as if the answer were a log of appended rows.
@mutant("each_file_alone", WORD_ROW)
def standing_counts(lines):
    found = F.udf(lambda line: words(line), ArrayType(StringType()))
    return (
        lines.select(F.explode(found("value")).alias("word"), F.input_file_name().alias("file"))
        .groupBy("word", "file")
        .count()
        .drop("file")
    )


# Says in how many lines a word stands, not how often.
@mutant("each_word_of_a_line_once", ANSWER_COVERS)
def standing_counts(lines):
    found = F.udf(lambda line: sorted(set(words(line))), ArrayType(StringType()))
    return lines.select(F.explode(found("value")).alias("word")).groupBy("word").count()


# Names its columns in its own way.
@mutant("other_columns", [ANSWER_COVERS, WORD_ROW, WORDS_TABLE])
def standing_counts(lines):
    found = F.udf(lambda line: words(line), ArrayType(StringType()))
    return lines.select(F.explode(found("value")).alias("w")).groupBy("w").agg(F.count("*").alias("n"))


# Splits at spaces alone: punctuation stays, and an empty line gives an empty word.
@mutant("punctuation_kept", WORDS_TABLE)
def standing_counts(lines):
    found = F.split(F.lower("value"), " ")
    return lines.select(F.explode(found).alias("word")).groupBy("word").count()
