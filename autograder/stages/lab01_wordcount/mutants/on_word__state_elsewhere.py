"""Counts in a place of its own inside the state."""

KILLED_BY = ["the_state_that_was_given_holds_the_counts"]


def on_word(state, word):
    counts = state.setdefault("counts", {})
    counts[word] = counts.get(word, 0) + 1
    return word, counts[word]
