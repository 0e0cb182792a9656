"""Drive `Panes` with calls for several groups and functions of its own, and `add_row` with a stub of `Panes`."""

from collections.abc import Sequence
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from streamlab.lab04_subqueries.engine import AggregateFunction, SizeWindow, TimeWindow

KINDS = {"time": TimeWindow, "size": SizeWindow}
# Their partial results show the order of the values; a result differs from its partial result.
IN_ORDER = AggregateFunction(
    lambda value: [value], lambda earlier, later: earlier + later, lambda seen: [len(seen), *seen]
)
LATEST = AggregateFunction(lambda value: value, lambda earlier, later: later, lambda value: value)
TENFOLD = AggregateFunction(lambda value: 10 * value, lambda earlier, later: earlier + later, lambda total: total + 1)


@drive("Panes")
def panes(stage: Any, case: Any) -> Rows:
    """Return what each call returns, and the panes of its group after it."""
    kind, size, advance = case["window"]
    made = stage.Panes(KINDS[kind](size, advance), [LATEST] if case.get("latest") else [IN_ORDER, TENFOLD])
    groups: dict[str, dict[Any, Any]] = {}
    answers = []
    for method, group, at, *values in case["calls"]:
        kept = groups.setdefault(group, {})
        returned = made.add(kept, at, list(values)) if method == "add" else made.close(kept, at)
        answers.append({"returned": plain(returned), "panes": _shown(kept)})
    return {"answers": answers}


def _shown(kept: dict[Any, Any]) -> list[Any]:
    """Return [number, partial results] of each pane, sorted by number."""
    pairs = [
        [number, list(each) if isinstance(each, list | tuple) else type_name(each)] for number, each in kept.items()
    ]
    return list(plain(sorted(pairs, key=lambda pair: (str(type(pair[0])), pair[0]))))


class PanesStub:
    """A stub of `Panes` without panes: it stores every value; a result lists them with the start, or is given."""

    def __init__(self, window: SizeWindow, results: list[Any] | None) -> None:
        self.window, self.functions, self.results = window, [IN_ORDER], results

    def add(self, panes: dict[Any, Any], at: int, values: Sequence[Any]) -> bool:
        """Store the values under their position."""
        panes[at] = list(values)
        return True

    def close(self, panes: dict[Any, Any], start: int) -> list[Any]:
        """Return the start and everything that is stored, and delete what is before the next window."""
        result = [start, *panes.values()]
        for at in [at for at in panes if at < start + self.window.advance]:
            del panes[at]
        return result if self.results is None else self.results


@drive("add_row")
def add_row(stage: Any, case: Any) -> Rows:
    """Return what each call returns, and whether its group is empty after it."""
    made = PanesStub(SizeWindow(*case["window"]), case.get("results"))
    groups: dict[str, dict[str, Any]] = {}
    answers = []
    for number, name in enumerate(case["groups"]):
        group = groups.setdefault(name, {})
        returned = stage.add_row(made, group, [number])
        answers.append({"returned": plain(returned), "empty": not group})
    return {"answers": answers}
