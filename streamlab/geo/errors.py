"""The errors of Lab 8 that say more than ValueError."""


class NotCaughtUp(RuntimeError):
    """A replica has not applied all records that the question demands; ask another one, or later."""


class Unavailable(RuntimeError):
    """No replica answered; the text gives the reason of each. An empty answer would say "nobody" instead."""


class MeasuringError(ValueError):
    """These samples cannot have been measured: totals fall, or more was done than was offered."""
