"""Exhausts the judge's memory and time with one line of six megabytes that holds two million empty lists."""

NAMED = "result channel"

PARTS = b"[]," * 2_000_000
write_to_every_pipe(b'{"event": "rows", "task": "words", "case": 0, "rows": {"words": [' + PARTS + b"1]}}\n")
