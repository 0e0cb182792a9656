"""JSON lines between runner and judge: commands come on stdin, events leave on a pipe of their own.

Keeps out: meaning. The judge reads events as claims of the learner's process, never as facts.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

EVENTS_FD = "STREAMLAB_EVENTS_FD"


class Channel:
    """The runner's end."""

    def __init__(self) -> None:
        self._commands = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self._events = os.fdopen(int(os.environ[EVENTS_FD]), "w", encoding="utf-8")
        _nothing_on_stdin()

    def commands(self) -> Iterator[dict[str, Any]]:
        """Commands of the judge until it closes the pipe."""
        for line in self._commands:
            yield json.loads(line)

    def send(self, event: str, **content: Any) -> None:
        """One event, at once; content that JSON cannot hold raises TypeError or ValueError."""
        self._events.write(json.dumps({"event": event, **content}, allow_nan=False) + "\n")
        self._events.flush()


def _nothing_on_stdin() -> None:
    """Give the learner's code an empty stdin; the commands are not for it to read."""
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
