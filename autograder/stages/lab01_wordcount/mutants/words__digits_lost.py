"""Takes letters only: route 66 loses its number."""

import re

KILLED_BY = ["words_are_runs_of_letters_and_digits", "letters_of_every_language_belong_to_words"]


def words(line):
    return [word.casefold() for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", line)]
