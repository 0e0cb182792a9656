"""Writes rows as CSV (RFC 4180) whose cells are harmless in a spreadsheet.

A spreadsheet takes a cell that begins with = + - @ for a formula, and a formula can run programs and send data away
(https://owasp.org/www-community/attacks/CSV_Injection). Text that begins like a formula therefore gets an apostrophe
in front. Numbers stay numbers.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.intake.safe_text import escaped
from autograder.report.number_formats import points

Cell = str | float | None
Row = Sequence[Cell]

# Signs that start a formula, with their full-width forms, which Japanese and Chinese spreadsheets accept as well.
_OPENS_A_FORMULA = "=+\\-@＝＋－＠"
# A formula starts a cell, or follows a semicolon: in locales with a decimal comma, spreadsheets split cells there.
# A sign alone is not a formula: Moodle's "-" stays unchanged.
_FORMULA = re.compile(rf"(^|;) *(?=[{_OPENS_A_FORMULA}].)")
_SPACES = re.compile(r"\s+")
_CONTROL_CATEGORIES = frozenset({"Cc", "Cs"})
_BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Sheet:
    """A CSV file's bytes; `guarded` counts the cells that began like a formula."""

    content: bytes
    guarded: int


def sheet(rows: Iterable[Row], *, byte_order_mark: bool) -> Sheet:
    """Return rows as CSV in UTF-8, with lines that end in CR LF.

    Excel reads a file as UTF-8 only with a byte order mark; other importers may take the mark for a part of the
    first heading.
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    guarded = 0
    for row in rows:
        cells = [shown(each) for each in row]
        guarded += sum(_is_guarded(each, cell) for each, cell in zip(row, cells, strict=True))
        writer.writerow(cells)
    return Sheet(stream.getvalue().encode("utf-8-sig" if byte_order_mark else "utf-8"), guarded)


def shown(cell: Cell) -> str:
    """Return one cell as text: a number with at most two decimals, text made harmless, None as "".

    Example: shown("=cmd|' /C calc'!A0") -> "'=cmd|' /C calc'!A0"
    """
    if cell is None:
        return ""
    return harmless(cell) if isinstance(cell, str) else points(cell)


def harmless(text: str) -> str:
    """Return text on one line, with control characters and text-direction marks escaped, that is not a formula."""
    return _FORMULA.sub(r"\g<0>'", one_line(text))


def one_line(text: str) -> str:
    r"""Return text with one space for each run of white space, and with control characters as escapes.

    Example: one_line("Ana\n\x1b[31m") -> "Ana \\x1b[31m"
    """
    return "".join(escaped(each) if _is_control(each) else each for each in _SPACES.sub(" ", text).strip())


def _is_control(character: str) -> bool:
    return character in _BIDI_CONTROLS or unicodedata.category(character) in _CONTROL_CATEGORIES


def _is_guarded(cell: Cell, text: str) -> bool:
    return isinstance(cell, str) and text != one_line(cell)
