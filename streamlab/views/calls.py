"""Shows calls of a function in a notebook: arguments and results. An error is one line and does not stop the cell."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LONGEST_ARGUMENT = 60
RAISE_ERRORS = {"STREAMLAB_ERRORS": "raise"}  # set for the reference, in which no block may fail by accident


def show_calls(function: Callable[..., Any], *calls: Any) -> None:
    """Print a line for each call: its arguments and its result. A tuple holds several arguments.

    Example: show_calls(max, (3, 4), "ab") prints "max(3, 4)  ->  4" and "max('ab')  ->  'b'", one below the other.
    """
    lines = [(_shown(function, call), _result(function, call)) for call in calls]
    width = max(len(shown) for shown, _ in lines)
    for shown, result in lines:
        print(f"{shown:{width}}  ->  {result}")


@contextmanager
def one_line_errors(*intended: type[Exception]) -> Iterator[None]:
    """Print an error in the block as one line, and continue after the block.

    With STREAMLAB_ERRORS=raise in the environment, an error that is not `intended` stops the cell: `./lab verify` runs
    the reference so.
    """
    try:
        yield
    except Exception as problem:
        if RAISE_ERRORS.items() <= os.environ.items() and not isinstance(problem, intended):
            raise
        print(in_one_line(problem))


def in_one_line(problem: BaseException) -> str:
    """Return the type and the first line of an error.

    Example: in_one_line(ValueError("no\\nmore")) -> "ValueError: no"
    """
    from streamlab.notebooks.causes import cause_of

    cause = cause_of(problem)
    return f"{cause.kind}: {cause.message}"


def _result(function: Callable[..., Any], call: Any) -> str:
    try:
        return repr(function(*call) if isinstance(call, tuple) else function(call))
    except Exception as problem:
        return in_one_line(problem)


def _shown(function: Callable[..., Any], call: Any) -> str:
    arguments = ", ".join(map(repr, call if isinstance(call, tuple) else (call,)))
    cut = arguments if len(arguments) <= LONGEST_ARGUMENT else f"{arguments[: LONGEST_ARGUMENT - 1]}…"
    return f"{function.__name__}({cut})"
