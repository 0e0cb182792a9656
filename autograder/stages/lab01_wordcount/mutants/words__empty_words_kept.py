"""Splits at whatever is no letter or digit, one character at a time, and keeps the nothing in between."""

KILLED_BY = [
    "words_are_runs_of_letters_and_digits",
    "no_word_is_empty",
    "an_apostrophe_belongs_to_the_word_it_is_inside",
]


def words(line):
    spaced = "".join(
        c if c.isalnum() or (c == "'" and line[at - 1 : at].isalnum() and line[at + 1 : at + 2].isalnum()) else " "
        for at, c in enumerate(line)
    )
    return [word.casefold() for word in spaced.split(" ")]
