"""Progress messages of long work: it calls `on_progress` with a line of text."""

from collections.abc import Callable

OnProgress = Callable[[str], None]


def silent(message: str) -> None:
    """Ignore the message; the default `on_progress`."""
