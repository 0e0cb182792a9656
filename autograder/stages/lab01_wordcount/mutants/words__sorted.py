"""Gives the words in the order of the alphabet."""

import re

KILLED_BY = ["words_keep_their_order_and_repeats"]


def words(line):
    return sorted(word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line))
