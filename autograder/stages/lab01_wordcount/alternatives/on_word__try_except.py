"""Expects to know the word, and learns it where it does not."""


def on_word(state, word):
    try:
        state[word] += 1
    except KeyError:
        state[word] = 1
    return word, state[word]
