"""Knows the letters from a to z alone: accents and other alphabets split words or lose them."""

import re

KILLED_BY = ["letters_of_every_language_belong_to_words"]


def words(line):
    return re.findall(r"[a-z0-9]+(?:'[a-z0-9]+)*", line.casefold())
