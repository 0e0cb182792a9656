"""Writes rows as CSV (RFC 4180) whose cells do no harm where they are opened.

A spreadsheet takes a cell that begins with = + - @ for a formula, and a formula can run programs and send data away
(https://owasp.org/www-community/attacks/CSV_Injection). So text that begins like one is given an apostrophe in front.
Numbers stay numbers. Keeps out: which columns there are.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.intake.safe_text import escaped, points

Cell = str | float | None
Row = Sequence[Cell]

# What opens a formula, full-width forms too: a Japanese or Chinese spreadsheet reads these alike.
_OPENS_A_FORMULA = "=+\\-@＝＋－＠"
# At the start, and after a semicolon: where the comma is the decimal sign, spreadsheets split cells there.
# A sign alone is no formula: Moodle's "-" stays what it is.
_FORMULA = re.compile(rf"(^|;) *(?=[{_OPENS_A_FORMULA}].)")
_SPACES = re.compile(r"\s+")
_UNSEEN = frozenset({"Cc", "Cs"})
_TURNS_THE_LINE = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Written:
    """A sheet as bytes; `guarded` counts the cells that began like a formula."""

    content: bytes
    guarded: int


def sheet(rows: Iterable[Row], *, byte_order_mark: bool) -> Written:
    """Rows as CSV in UTF-8, lines ending in CR LF.

    Excel reads a file as UTF-8 only with a byte order mark; a program that imports CSV may take the mark for
    a part of the first heading.
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    guarded = 0
    for row in rows:
        cells = [shown(each) for each in row]
        guarded += sum(_is_guarded(each, cell) for each, cell in zip(row, cells, strict=True))
        writer.writerow(cells)
    return Written(stream.getvalue().encode("utf-8-sig" if byte_order_mark else "utf-8"), guarded)


def shown(cell: Cell) -> str:
    """One cell as text: a number with at most two decimals, text made harmless, None as nothing.

    Example: shown("=cmd|' /C calc'!A0") -> "'=cmd|' /C calc'!A0"
    """
    if cell is None:
        return ""
    return harmless(cell) if isinstance(cell, str) else points(cell)


def harmless(text: str) -> str:
    """Text on one line, what steers a terminal or turns the line around escaped, and no formula."""
    return _FORMULA.sub(_with_apostrophe, one_line(text))


def one_line(text: str) -> str:
    r"""Text with one space for each run of white space, and with controls as escapes.

    Example: one_line("Ana\n\x1b[31m") -> "Ana \\x1b[31m"
    """
    return "".join(escaped(each) if _steers(each) else each for each in _SPACES.sub(" ", text).strip())


def _with_apostrophe(found: re.Match[str]) -> str:
    return f"{found[0]}'"


def _steers(character: str) -> bool:
    return character in _TURNS_THE_LINE or unicodedata.category(character) in _UNSEEN


def _is_guarded(cell: Cell, text: str) -> bool:
    return isinstance(cell, str) and text != one_line(cell)
