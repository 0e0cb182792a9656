"""Keeps upper and lower case apart."""

import re

KILLED_BY = ["upper_and_lower_case_are_one_word"]


def words(line):
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)
