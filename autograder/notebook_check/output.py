"""Shows the output of a check cell: in a notebook, one output that is updated in place; elsewhere, plain lines.

In a notebook the output holds the verdicts as HTML and as plain text. Elsewhere only the text is printed.
"""

import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rich.console import Console

from autograder.report import print_checks, render_checks
from streamlab.views.plots import in_notebook

Checks = Sequence[Mapping[str, Any]]
COLUMNS = 78


def output() -> "Page | Lines":
    """Return the output for the running cell."""
    return Page() if in_notebook() else Lines()


class Lines:
    """Prints verdicts as plain text and does not show progress."""

    def progress(self, text: str) -> None:
        """Do nothing: progress would only clutter a log."""

    def verdicts(self, checks: Checks, note: str) -> None:
        """Print the verdicts and the note below them."""
        print(as_text(checks, note), end="")


class Page:
    """Shows only the latest state, in one output of the notebook."""

    def __init__(self) -> None:
        self._handle: Any = None

    def progress(self, text: str) -> None:
        """Show a line in grey."""
        self._show({"text/plain": text, "text/html": f'<div style="opacity:.7">{escape(text)}</div>'})

    def verdicts(self, checks: Checks, note: str) -> None:
        """Replace the output by the verdicts and the note."""
        self._show({"text/plain": as_text(checks, note), "text/html": render_checks(checks, note)})

    def _show(self, bundle: dict[str, str]) -> None:
        from IPython.display import display

        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def as_text(checks: Checks, note: str) -> str:
    """Return the verdicts as plain lines, followed by the note."""
    buffer = io.StringIO()
    console = Console(file=buffer, width=COLUMNS, force_terminal=False, force_jupyter=False, highlight=False)
    print_checks(checks, console)
    return f"{buffer.getvalue()}{note}\n"
