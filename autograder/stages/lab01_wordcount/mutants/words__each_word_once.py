"""Gives each word of a line once, however often it stands there."""

import re

KILLED_BY = ["words_come_in_the_order_of_the_line_as_often_as_they_stand_there"]


def words(line):
    found = re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)
    return list(dict.fromkeys(word.casefold() for word in found))
