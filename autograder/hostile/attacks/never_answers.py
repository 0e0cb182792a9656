"""Blocks the judge: the task swallows every exception and never returns."""

NAMED = "timed out"
COSTS = ["words"]
EVERY_LAB = True


def never_answers(*_, **__):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


globals()[TASK] = never_answers
