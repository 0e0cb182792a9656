"""Removes outputs and attachments from the text of a notebook before it is parsed: nothing reads them.

A picture of 50 MB, or a plot with a million points, then costs no memory and counts toward no limit.
"""

import re
from collections.abc import Iterator

DROPPED = frozenset({b'"outputs"', b'"attachments"', b'"widgets"'})
TOKENS_MAX = 20_000_000  # brackets and strings of a whole file; more would take minutes
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_COLON = re.compile(rb"\s*:\s*")
_OPENING, _CLOSING = frozenset(b"[{"), frozenset(b"]}")


class TooManyParts(ValueError):
    """The file has so many brackets and strings that reading it would take minutes."""


def without_outputs(content: bytes) -> bytes:
    """Return the JSON of a notebook with an empty list in place of each list or object of a key in `DROPPED`.

    Content that is not JSON is returned in some form that is not JSON either. Raises `TooManyParts`.
    Example: without_outputs(b'{"outputs": [{"text": "1"}]}') -> b'{"outputs": []}'
    """
    if not any(key in content for key in DROPPED):
        return content
    parts, end = [], 0
    for start, stop in _dropped(content):
        parts += [content[end:start], b"[]"]
        end = stop
    return b"".join([*parts, content[end:]])


def _dropped(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each value to drop."""
    depth, start, value_at = 0, -1, -1
    for number, token in enumerate(_TOKEN.finditer(content)):
        if number > TOKENS_MAX:
            raise TooManyParts
        first = content[token.start()]
        if first in _OPENING:
            if start < 0 and token.start() == value_at:
                start, depth = token.start(), 0
            depth += 1
        elif first in _CLOSING:
            depth -= 1
            if start >= 0 and depth == 0:
                yield start, token.end()
                start = -1
        elif start < 0 and token.group() in DROPPED:
            colon = _COLON.match(content, token.end())
            value_at = colon.end() if colon else -1
