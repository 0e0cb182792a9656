"""Shows the hints of a task one after the other, in the shell and in a notebook: both remember what was shown.

`.hints.json` in work/ has the number of the last hint shown: {"LAB/TASK": 1}.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from autograder.checks.teaching import hints

SHOWN_HINTS = ".hints.json"


class Hint(NamedTuple):
    """A hint: its number, the number `of` all hints, its text, and why it could not be remembered, if so."""

    number: int
    of: int
    text: str
    problem: str | None

    @property
    def line(self) -> str:
        """The hint as a learner reads it."""
        return f"Hint {self.number} of {self.of}: {self.text}"


def next_hint(work: Path, lab: str, task: str, number: int | None = None) -> Hint | None:
    """Return the next hint of a task, or the one with this number; after the last one, the last one again.

    Only the next one is remembered. Returns None if the task has no such hint.
    """
    texts, name = hints(lab).get(task, []), f"{lab}/{task}"
    shown = _mapping_in(work / SHOWN_HINTS)
    last = shown.get(name)
    following = min(len(texts), max(0, last) + 1) if isinstance(last, int) else 1
    at = following if number is None else number
    if not 1 <= at <= len(texts):
        return None
    problem = None if number is not None else _remember(work / SHOWN_HINTS, {**shown, name: at}, at)
    return Hint(at, len(texts), texts[at - 1].strip(), problem)


def _remember(file: Path, shown: dict[str, Any], number: int) -> str | None:
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(shown), encoding="utf-8")
    except OSError as problem:
        return f"cannot remember that hint {number} was shown ({file}: {problem.strerror})"
    return None


def _mapping_in(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
