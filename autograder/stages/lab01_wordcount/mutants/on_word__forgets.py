"""Counts in a copy, so every time is the first time."""

KILLED_BY = [
    "counts_of_a_word_come_out_one_two_three",
    "the_state_that_was_given_holds_the_counts",
    "two_states_know_nothing_of_each_other",
]


def on_word(state, word):
    state = dict(state)
    state[word] = state.get(word, 0) + 1
    return word, state[word]
