"""Removes outputs and attachments from the text of a notebook before it is parsed: nothing reads them.

A picture of 50 MB, or a plot with a million points, then takes no memory and counts toward no limit.
"""

import re
from collections.abc import Iterator

DROPPED = frozenset({b'"outputs"', b'"attachments"', b'"widgets"'})
TOKENS_MAX = 5_000_000  # more would take minutes
_STRING = rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'  # one that is not closed ends with the file, so that no other begins in it
_FLAT = rb'(?:[^"\[\]{}]++|' + _STRING + rb")"
_TOKEN = re.compile(_STRING + rb"|[\[\]{}]", re.DOTALL)
_INSIDE = re.compile(rb"(?:" + _FLAT + rb"|[\[{]" + _FLAT + rb"*+[\]}])++|[\[\]{}]", re.DOTALL)
_VALUE = re.compile(rb"\s*:\s*(?=[\[{])")


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
    at = tokens = 0
    while token := _TOKEN.search(content, at):
        at, tokens = token.end(), tokens + 1
        if token.group() in DROPPED and (value := _VALUE.match(content, at)):
            at, inside = _end_of(content, value.end())
            tokens += inside
            yield value.end(), at
        if tokens > TOKENS_MAX:
            raise TooManyParts


def _end_of(content: bytes, start: int) -> tuple[int, int]:
    """Return where the list or object at `start` ends, and how many tokens it has."""
    depth, tokens = 1, 0
    for token in _INSIDE.finditer(content, start + 1):
        tokens += 1
        bracket = token.group() if token.end() == token.start() + 1 else b""
        depth += (bracket in (b"[", b"{")) - (bracket in (b"]", b"}"))
        if depth <= 0 or tokens > TOKENS_MAX:
            return token.end(), tokens
    return len(content), tokens
