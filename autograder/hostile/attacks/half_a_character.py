"""Breaks programs that write results: answers and errors have half a surrogate pair, which UTF-8 cannot encode."""

NAMED = "ud800"


def words(line):
    if line == " ":
        raise ValueError("\ud800 in a message")
    return ["\ud800", "\udfff"]
