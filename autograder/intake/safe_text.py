"""Makes text from a submission safe to show: nothing in it steers a terminal, hides, or floods the page.

What a reader cannot see is written as Python would escape it, so a stray control character or an
invisible space in an answer becomes visible, too. Keeps out: HTML escaping (the template does that).
"""

import json
import unicodedata
from collections.abc import Iterator

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})  # controls, bidi marks, odd spaces, surrogates
_COMBINING = frozenset({"Mn", "Me"})
_MOST_COMBINING = 3  # as much as written languages stack on one letter; more paints over other lines


def safe(value: object, limit_chars: int, *, multiline: bool = False) -> str:
    r"""`value` as text of at most about `limit_chars`, with whatever cannot be seen as escapes.

    Line ends stay only if `multiline`. A text that was cut ends with its full length.
    Example: safe("red \x1b[31m", 100) -> "red \\x1b[31m"
    """
    text = value if isinstance(value, str) else _as_text(value)
    shown, tail = text, ""
    if len(text) > limit_chars:
        shown, tail = text[:limit_chars], f"… ({grouped(len(text))} characters in all)"
    if multiline:
        shown = shown.replace("\r\n", "\n")
    return (shown if _is_plain(shown, multiline) else "".join(_visible(shown, multiline))) + tail


def _as_text(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _is_plain(text: str, multiline: bool) -> bool:
    """Whether nothing in it needs an escape: most texts, found without looking at each character in Python."""
    line = text.replace("\n", "") if multiline else text
    return line.isascii() and line.isprintable()


def _visible(text: str, multiline: bool) -> Iterator[str]:
    stacked = 0
    for each in text:
        category = unicodedata.category(each)
        stacked = stacked + 1 if category in _COMBINING else 0
        if each == " " or (each == "\n" and multiline):
            yield each
        elif category in _UNSEEN or stacked > _MOST_COMBINING:
            yield escaped(each)
        else:
            yield each


def escaped(character: str) -> str:
    r"""The escape of one character in Python's notation.

    Example: escaped("\u202e") -> "\\u202e"
    """
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def grouped(number: float) -> str:
    """A whole number with its thousands set apart.

    Example: grouped(1048576) -> "1 048 576"
    """
    return f"{number:,.0f}".replace(",", " ")


def points(number: float) -> str:
    """Points with at most two decimals and no trailing zeros.

    Example: points(1.50) -> "1.5"
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rate(per_s: float) -> str:
    """A rate to three significant digits: more would claim what one machine cannot measure.

    Example: rate(812345.6) -> "812 000"
    """
    rounded = float(f"{per_s:.3g}")
    return grouped(rounded) if abs(rounded) >= 100 else f"{rounded:g}"
