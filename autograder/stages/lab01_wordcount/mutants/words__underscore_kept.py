"""Takes the underscore for a letter, as \\w does."""

import re

KILLED_BY = ["words_are_runs_of_letters_and_digits"]


def words(line):
    return [word.casefold() for word in re.findall(r"\w+(?:'\w+)*", line)]
