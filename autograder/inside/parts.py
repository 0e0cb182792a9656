"""States as text, for cases whose second part continues in another sandbox (autograder.checks.two_sandboxes)."""

import base64

FIRST, SECOND = "first", "second"


def as_text(pickled: bytes) -> str:
    """Return bytes as a text that rows can hold."""
    return base64.b64encode(pickled).decode("ascii")


def as_bytes(text: str) -> bytes:
    """Return the bytes of `as_text`. Raises ValueError for anything else."""
    return base64.b64decode(text, validate=True)
