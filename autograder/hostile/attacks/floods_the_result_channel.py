"""Exhausts the judge's memory with 200 MB of well-formed lines on the result channel."""

NAMED = "results over the limit"
COSTS = ["words"]

ROWS = b'{"event": "rows", "task": "words", "case": 0, "rows": {"words": ["' + b"x" * 100_000 + b'"]}}\n'


def words(line):
    for _ in range(2000):
        write_to_every_pipe(ROWS)
    return []
