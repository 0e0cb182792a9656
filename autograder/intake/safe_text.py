"""Makes text from a submission safe to show: it cannot control a terminal, hide characters or flood the page.

Invisible characters become Python escapes, so a reader also sees a stray control character or an invisible space in an
answer. Does not escape HTML; the page's template does.
"""

import json
import unicodedata
from collections.abc import Iterator

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})  # controls, bidi marks, odd spaces, surrogates
_COMBINING = frozenset({"Mn", "Me"})
_COMBINING_MAX = 3  # written languages stack no more on one letter, and more would cover other lines


def safe(value: object, limit_chars: int, *, multiline: bool = False) -> str:
    r"""Return `value` as text of about `limit_chars` at most, with invisible characters as escapes.

    Line ends are kept only if `multiline`. A text that was cut ends with its full length.
    Example: safe("red \x1b[31m", 100) -> "red \\x1b[31m"
    """
    text = value if isinstance(value, str) else _as_text(value)
    shown, tail = text, ""
    if len(text) > limit_chars:
        shown, tail = text[:limit_chars], f"… ({len(text):,} characters in all)".replace(",", " ")
    if multiline:
        shown = shown.replace("\r\n", "\n")
    return (shown if _is_plain(shown, multiline) else "".join(_visible(shown, multiline))) + tail


def _as_text(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _is_plain(text: str, multiline: bool) -> bool:
    """Return whether no character needs an escape: a fast test that most texts pass."""
    line = text.replace("\n", "") if multiline else text
    return line.isascii() and line.isprintable()


def _visible(text: str, multiline: bool) -> Iterator[str]:
    stacked = 0
    for each in text:
        category = unicodedata.category(each)
        stacked = stacked + 1 if category in _COMBINING else 0
        if each == " " or (each == "\n" and multiline):
            yield each
        elif category in _INVISIBLE or stacked > _COMBINING_MAX:
            yield escaped(each)
        else:
            yield each


def escaped(character: str) -> str:
    r"""Return the escape of one character in Python's notation.

    Example: escaped("\u202e") -> "\\u202e"
    """
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
