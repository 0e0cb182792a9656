"""Attacks the judge's arithmetic with NaN, Infinity and numbers too large for a float, as answers and as times."""

NAMED = "result channel"
COSTS = ["words"]

NUMBERS = ("NaN", "-Infinity", "1e999", "1" + "0" * 400)
START = '{"event": "rows", "task": "words", "case": 0, "rows": '


def words(line):
    for number in NUMBERS:
        write_to_every_pipe((START + '{"words": [' + number + ']}, "seconds": ' + number + "}\n").encode())
    return [float("nan"), float("inf"), 10**4000]
