"""Keeps one state for everybody, whatever state it is given."""

KILLED_BY = ["the_state_that_was_given_holds_the_counts", "two_states_know_nothing_of_each_other"]


SEEN = {}


def on_word(state, word):
    SEEN[word] = SEEN.get(word, 0) + 1
    return word, SEEN[word]
