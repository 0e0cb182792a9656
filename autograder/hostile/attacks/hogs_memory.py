"""The machine's memory: 40 GB are asked for, and used."""

NAMED = "memory limit"
COSTS = ["words"]


def words(line):
    held = []
    for number in range(400):
        held.append(bytearray(b"x" * (100_000_000 + number)))
    return held
