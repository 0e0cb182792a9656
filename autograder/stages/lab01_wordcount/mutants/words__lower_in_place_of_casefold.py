"""Lower case is not case folding: straße and STRASSE stay two words."""

import re

KILLED_BY = ["upper_and_lower_case_are_one_word"]


def words(line):
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", line.lower())
