"""How long work says how far it is: it calls a function with a line of text."""

from collections.abc import Callable

OnProgress = Callable[[str], None]


def silent(message: str) -> None:
    """Say nothing: the `on_progress` of callers that nobody watches."""
