"""Drive sliding windows: steps ["add", value], ["expire"] and ["result"], with values that count operations."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab02_windows.sliding.drive_values import Number, Ordered, Work, plain_value

THROUGHPUT_WINDOW = 1000


@drive("SlidingSum")
def sliding_sum(stage: Any, case: Any) -> Rows:
    """Return the answer to each step, and how many + and - it took."""
    return answers_to_steps(_window(stage.SlidingSum, case), case["steps"], _summand)


@drive("SlidingMax")
def sliding_max(stage: Any, case: Any) -> Rows:
    """Return the answer to each step, and how many comparisons it took."""
    return answers_to_steps(_window(stage.SlidingMax, case), case["steps"], Ordered)


@drive("SlidingSum.throughput")
def sliding_sum_throughput(stage: Any, case: Any) -> Rows:
    """Run one turn: a file with one whole number per line, and the result of every slide of a window of 1,000."""
    values = [int(line) for line in Path(case["path"]).read_text(encoding="utf-8").split()]
    return {"results": plain(results_of_all_slides(stage.SlidingSum(), values, THROUGHPUT_WINDOW))}


def _window(kind: Callable[[], Any], case: Any) -> Any:
    """Return a new window, made after another one that holds the values of `case["other"]`."""
    other = kind()
    for value in case.get("other", ()):
        other.add(value)
    return kind()


def _summand(value: Any, work: Work) -> Any:
    """Return a value that counts operations; a float stays one, since a sum may treat floats differently."""
    return value if isinstance(value, float) else Number(value, work)


def answers_to_steps(window: Any, steps: list[list[Any]], kind: Callable[[Any, Work], Any]) -> Rows:
    """Return an answer for each step, None for an `add` or `expire` that succeeded.

    Each `add` gets a new value of `kind`.
    """
    work, answers, work_of_each_step, held = Work(), [], [], 0
    for name, *amount in steps:
        before = work.operations
        errors = (ValueError,) if held else (ValueError, IndexError)  # what an empty deque raises is a rejection, too
        answers.append(_answer_to(window, name, [kind(each, work) for each in amount], errors))
        held = max(0, held + {"add": 1, "expire": -1}.get(name, 0))
        work_of_each_step.append(work.operations - before)
    return {"answers": answers, **vars(work), "work_of_each_step": work_of_each_step}


def _answer_to(window: Any, name: str, values: list[Any], errors: tuple[type[Exception], ...]) -> Any:
    def answer() -> Rows:
        given = plain_value(getattr(window, name)(*values))
        if name == "result" and not isinstance(given, int | float):
            return {"returned": type_name(given)}
        return {"answer": plain(given) if name == "result" else None}

    row = or_rejected(answer, *errors)
    return row.get("answer", row)


def results_of_all_slides(window: Any, values: list[int], length: int) -> list[Any]:
    """Return the result of every slide, for a window that holds the last `length` values."""
    add, expire, result, results = window.add, window.expire, window.result, []
    for number, value in enumerate(values):
        if number >= length:
            expire()
        add(value)
        results.append(result())
    return results
