"""Gives the words in the order of the alphabet."""

import re

KILLED_BY = ["words_come_in_the_order_of_the_line_as_often_as_they_stand_there"]


def words(line):
    return sorted(word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line))
