"""Splits at every single space: punctuation sticks to words, and gaps give empty words."""

KILLED_BY = [
    "words_are_runs_of_letters_and_digits",
    "no_word_is_empty",
    "an_apostrophe_belongs_to_the_word_it_is_inside",
]


def words(line):
    return [word.casefold() for word in line.split(" ")]
