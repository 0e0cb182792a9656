"""Calls that a notebook shows: what goes in and what comes out, an error as one line, and the cell goes on.

Keeps out: whether an answer is right (check).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LONGEST_ARGUMENT = 60


def show_calls(function: Callable[..., Any], *calls: Any) -> None:
    """Print a line for each call: its arguments and the answer. A tuple holds several arguments.

    Example: show_calls(max, (3, 4), "ab") prints "max(3, 4)  ->  4" and "max('ab')  ->  'b'", one below the other.
    """
    told = [(_shown(function, call), _answer(function, call)) for call in calls]
    width = max(len(left) for left, _ in told)
    for left, answer in told:
        print(f"{left:{width}}  ->  {answer}")


@contextmanager
def one_line_errors() -> Iterator[None]:
    """An error in the block is printed as one line, and what follows the block is run all the same."""
    try:
        yield
    except Exception as problem:
        print(in_one_line(problem))


def in_one_line(problem: BaseException) -> str:
    """Example: in_one_line(ValueError("no\\nmore")) -> "ValueError: no"."""
    from streamlab.notebooks.causes import cause_of

    cause = cause_of(problem)
    return f"{cause.kind}: {cause.message}"


def _answer(function: Callable[..., Any], call: Any) -> str:
    try:
        return repr(function(*call) if isinstance(call, tuple) else function(call))
    except Exception as problem:
        return in_one_line(problem)


def _shown(function: Callable[..., Any], call: Any) -> str:
    arguments = ", ".join(map(repr, call if isinstance(call, tuple) else (call,)))
    cut = arguments if len(arguments) <= LONGEST_ARGUMENT else f"{arguments[: LONGEST_ARGUMENT - 1]}…"
    return f"{function.__name__}({cut})"
