"""The errors of Lab 8 that are more specific than ValueError."""


class NotCaughtUp(RuntimeError):
    """A replica has not applied all records that the question requires; ask another replica, or ask later."""


class Unavailable(RuntimeError):
    """No replica answered; the message gives each one's reason. An empty answer would mean that nobody is inside."""


class MeasuringError(ValueError):
    """The samples contradict each other: totals decrease, or more was done than was offered."""
