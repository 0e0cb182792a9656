"""Whoever writes the results down: half of a surrogate pair, which UTF-8 cannot hold, as an answer and as an error."""

NAMED = "ud800"


def words(line):
    if line == " ":
        raise ValueError("\ud800 in a message")
    return ["\ud800", "\udfff"]
