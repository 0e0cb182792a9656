"""Where a check cell shows what it has to say: one output of the notebook that is replaced, or plain lines.

In a notebook the output holds the verdicts as HTML and as plain text. Anywhere else only the text is printed.
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
    """The output of the cell that runs."""
    return Page() if in_notebook() else Lines()


class Lines:
    """Prints; progress is not shown."""

    def progress(self, text: str) -> None:
        """Nothing: a log has no use for it."""

    def verdicts(self, checks: Checks, note: str) -> None:
        """Print the verdicts and the note below them."""
        print(as_text(checks, note), end="")


class Page:
    """Shows the newest state only."""

    def __init__(self) -> None:
        self._handle: Any = None

    def progress(self, text: str) -> None:
        """Show a line in grey."""
        self._show({"text/plain": text, "text/html": f'<div style="opacity:.7">{escape(text)}</div>'})

    def verdicts(self, checks: Checks, note: str) -> None:
        """Show the verdicts in place of all that was shown before."""
        self._show({"text/plain": as_text(checks, note), "text/html": render_checks(checks, note)})

    def _show(self, bundle: dict[str, str]) -> None:
        from IPython.display import display

        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


def as_text(checks: Checks, note: str) -> str:
    """The verdicts as plain lines, and the note."""
    buffer = io.StringIO()
    console = Console(file=buffer, width=COLUMNS, force_terminal=False, force_jupyter=False, highlight=False)
    print_checks(checks, console)
    return f"{buffer.getvalue()}{note}\n"
