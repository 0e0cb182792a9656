"""The outputs for a changing view: one output of a notebook cell that is replaced, or a terminal that scrolls."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from streamlab.views.metrics import BatchMetrics
from streamlab.views.plots import Picture, in_notebook

Draw = Callable[[], Picture]


def screen() -> "Terminal | Page":
    """Return the page in a notebook, otherwise the terminal; `show(text, draw)` shows the next state."""
    return Page() if in_notebook() else Terminal()


def each_batch(metrics: BatchMetrics, seconds: float) -> Iterator[int]:
    """Yield 0 at once, then 1, 2, 3, … whenever batches have ended, until the time is up."""
    deadline_s, seen, frames = time.monotonic() + seconds, len(metrics.batches), 0
    yield frames
    while (left_s := deadline_s - time.monotonic()) > 0:
        if (now := len(metrics.wait_change(seen, left_s))) > seen:
            seen, frames = now, frames + 1
            yield frames


class NotSaved:
    """An object on this machine that an output operation uses; the stream's checkpoint leaves it out.

    A stream that is restored from a checkpoint shows nothing.
    """

    def __reduce__(self) -> Any:
        return _Nothing, ()


class _Nothing:
    """Ignores every call."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None


class Terminal:
    """Prints each state below the previous one."""

    def show(self, text: str, draw: Draw) -> None:
        """Print the text, without drawing the picture."""
        print(text, end="\n\n", flush=True)


class Page:
    """Two outputs of a notebook cell, text and picture, replaced with each state."""

    def __init__(self) -> None:
        self._handles: list[Any] = []

    def show(self, text: str, draw: Draw) -> None:
        """Replace both outputs."""
        from IPython.display import display

        parts = [_Text(text), draw()]
        if not self._handles:
            self._handles = [display(part, display_id=True) for part in parts]
        for handle, part in zip(self._handles, parts, strict=True):
            handle.update(part)


@dataclass(frozen=True)
class _Text:
    text: str

    def __repr__(self) -> str:
        return self.text
