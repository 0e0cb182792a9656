"""Finds where two texts differ, and cuts both to an excerpt around that place."""

import re
from dataclasses import dataclass

_AROUND_CHARS = 80
_DIFFERING_CHARS = 240
_ONE_WORD = re.compile(r"[\w.+-]+")  # a number, true, false, null


@dataclass(frozen=True)
class Excerpt:
    """A value's text around the part that differs from the other value; `full` is "" unless the excerpt is shorter."""

    before: str
    differs: str
    after: str
    full: str = ""


def excerpts(expected: str, got: str) -> tuple[Excerpt, Excerpt]:
    """Return an excerpt of each text, split around the part in which they differ; single words differ as a whole.

    Example: excerpts("[1, 2, 3]", "[1, 9, 3]") -> differs "2" and "9"
    """
    if not expected or not got or expected == got:
        return _excerpt(expected, 0, len(expected), marked=False), _excerpt(got, 0, len(got), marked=False)
    if _ONE_WORD.fullmatch(expected) and _ONE_WORD.fullmatch(got):
        return _excerpt(expected, 0, len(expected)), _excerpt(got, 0, len(got))
    head = _common_prefix(expected, got)
    tail = _common_prefix(expected[head:][::-1], got[head:][::-1])
    return _excerpt(expected, head, len(expected) - tail), _excerpt(got, head, len(got) - tail)


def _common_prefix(left: str, right: str) -> int:
    """Return the length of the common prefix."""
    pairs = zip(left, right, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))


def _excerpt(text: str, start: int, end: int, *, marked: bool = True) -> Excerpt:
    from_char, to_char = max(0, start - _AROUND_CHARS), min(len(text), end + _AROUND_CHARS)
    differs = text[start:end]
    if len(differs) > _DIFFERING_CHARS:
        differs, to_char, end = differs[:_DIFFERING_CHARS] + "…", len(text), len(text)
    before = ("…" if from_char else "") + text[from_char:start]
    after = text[end:to_char] + ("…" if to_char < len(text) else "")
    cut = before.startswith("…") or after.endswith("…") or differs.endswith("…")
    full = text if cut and len(text) > len(before + differs + after) else ""
    return Excerpt(before, differs, after, full) if marked else Excerpt(before + differs, "", after, full)
