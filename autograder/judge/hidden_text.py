"""Finds active content in a submission's texts: HTML for the report's page, and control codes for a terminal.

Reports show both as plain text (autograder.intake.safe_text and the page's template); this module adds a note.
"""

import re
from collections.abc import Iterable

_MARKUP = re.compile(
    r"<\s*+/?\s*+(script|iframe|object|embed|svg|img|link|meta|form|base)\b|javascript:", re.IGNORECASE
)  # without backtracking over blanks
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\\u001b|\\u009b|\\x1b|\\x9b")
HTML = "Something that it returned, raised or printed, or a name in it, is HTML with code or pictures; shown as text."
CODES = "Something that it returned, raised or printed, or a name in it, has terminal control codes; shown as escapes."


def active_content_notes(texts: Iterable[str], printed: str) -> list[str]:
    """Return a note for each kind found in a report's texts or in the printed output, where colours are allowed.

    Example: active_content_notes(["yours is <script>…"], "") -> [HTML]
    """
    text = "\n".join(texts)
    terminal = _COLOURS.sub("", printed)
    notes = [HTML] if _MARKUP.search(text) or _MARKUP.search(printed) else []
    return notes + ([CODES] if _CONTROLS.search(text) or _CONTROLS.search(terminal) else [])
