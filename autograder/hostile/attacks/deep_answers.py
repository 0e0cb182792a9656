"""Overflows the judge's parser with an answer nested 100 000 deep, and writes the same to the result channel."""

NAMED = "nested over"
COSTS = ["words"]

DEEP = b"[" * 100_000 + b"]" * 100_000


def words(line):
    write_to_every_pipe(b'{"event": "rows", "task": "words", "case": 0, "rows": {"words": ' + DEEP + b"}}\n")
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return nested
