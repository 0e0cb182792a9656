"""The judge's arithmetic: NaN, Infinity, and numbers that fit into no float, as answers and as times."""

NAMED = "result channel"
COSTS = ["words"]

NUMBERS = ("NaN", "-Infinity", "1e999", "1" + "0" * 400)
START = '{"event": "rows", "task": "words", "case": 0, "rows": '


def words(line):
    for number in NUMBERS:
        write_to_every_pipe((START + '{"words": [' + number + ']}, "seconds": ' + number + "}\n").encode())
    return [float("nan"), float("inf"), 10**4000]
