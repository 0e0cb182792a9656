"""Returns the count alone."""

KILLED_BY = ["counts_of_a_word_come_out_one_two_three", "two_states_know_nothing_of_each_other"]


def on_word(state, word):
    state[word] = state.get(word, 0) + 1
    return state[word]
