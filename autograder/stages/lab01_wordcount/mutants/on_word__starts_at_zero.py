"""The first time is counted as 0."""

KILLED_BY = ["counts_of_a_word_come_out_one_two_three"]


def on_word(state, word):
    before = state.get(word, 0)
    state[word] = before + 1
    return word, before
