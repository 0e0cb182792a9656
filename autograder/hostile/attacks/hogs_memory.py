"""Allocates and uses 40 GB of the machine's memory."""

NAMED = "memory limit"
COSTS = ["words"]


def words(line):
    held = []
    for number in range(400):
        held.append(bytearray(b"x" * (100_000_000 + number)))
    return held
