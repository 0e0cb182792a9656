"""Texts of a submission that are aimed at whoever reads its report: HTML for a page, control codes for a terminal.

Reports show both as plain text (autograder.intake.safe_text, and the page's template); here they are named.
"""

import re
from collections.abc import Iterable

_MARKUP = re.compile(r"<\s*/?\s*(script|iframe|object|embed|svg|img|link|meta|form|base)\b|javascript:", re.IGNORECASE)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_STEERING = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\\u001b|\\u009b|\\x1b|\\x9b")
HTML = "Something that it returned, raised or printed, or a name in it, is HTML with code or pictures; shown as text."
CODES = "Something that it returned, raised or printed, or a name in it, has terminal control codes; shown as escapes."


def aimed_at_the_reader(said: Iterable[str], printed: str) -> list[str]:
    """A note for each kind that is in what a report shows (`said`) or in what was printed, colours aside.

    Example: aimed_at_the_reader(["yours is <script>…"], "") -> [HTML]
    """
    text = "\n".join(said)
    terminal = _COLOURS.sub("", printed)
    notes = [HTML] if _MARKUP.search(text) or _MARKUP.search(printed) else []
    return notes + ([CODES] if _STEERING.search(text) or _STEERING.search(terminal) else [])
