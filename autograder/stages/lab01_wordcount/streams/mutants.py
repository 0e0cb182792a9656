"""Wrong versions of `word_counts`, `local_master`, `on_word` and `standing_counts`, with the checks that catch them."""

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


@mutant("empty_batch_fails", [BATCH, EMPTY_BATCH, CARRIED, SOCKET])
def word_counts(lines):
    def count(batch):
        batch.first()
        return count_words(batch)

    return lines.transform(count)


reference("local_master")

mutant("receivers_are_workers", THREADS, ("receivers + workers", "workers"))
mutant("fewer_than_no_receivers", IMPOSSIBLE, ("receivers < 0", "False"))

reference("on_word")

mutant("one_count_for_all_words", [ONE_TWO_THREE, STATE, TWO_STATES], ("state.get(word, 0)", "sum(state.values())"))


reference("standing_counts")

mutant("other_columns", [SO_FAR, ONE_ROW, WORDS], (".count()", '.count().toDF("w", "n")'))
