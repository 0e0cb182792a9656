"""Takes every apostrophe for a letter, at the edges of words too."""

import re

KILLED_BY = ["an_apostrophe_belongs_to_the_word_it_is_inside"]


def words(line):
    return [word.casefold() for word in re.findall(r"(?:[^\W_]|')+", line)]
