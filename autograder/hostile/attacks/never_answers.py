"""The judge's patience: a task that swallows every exception and never returns."""

NAMED = "did not come to an end"
COSTS = ["words"]


def words(line):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
