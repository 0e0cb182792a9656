"""The contract of an operator, and the operators that do not use windows."""

from collections.abc import Callable, Sequence
from typing import Any

from streamlab.lab04_subqueries.engine.rows import Row

Condition = Callable[[Row], bool]


class Operator:
    """One operator of a query, and the base class for new operators.

    The engine calls `on_time(t)` before `on_row` with a row of time t; after that, no row before t arrives.
    `state` holds everything that an operator keeps between calls: an operator that gets a copy continues the work.
    """

    stateful = False
    inputs = 1
    outputs = 1

    def __init__(self) -> None:
        self.state: dict[Any, Any] = {}

    def keys(self, port: int) -> tuple[str, ...] | None:
        """Return the fields of input `port` that rows must share to meet in this operator.

        () means that all rows meet; None means that a row can meet any row of the other input.
        """
        return None

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Process one row of input `port` and return the rows that it produces."""
        raise NotImplementedError

    def on_time(self, now_ms: int) -> list[Row]:
        """Advance the time: no row before `now_ms` arrives any more. Return the rows that this produces."""
        return []

    def streams_of(self, row: Row) -> Sequence[int]:
        """Return the numbers of the outputs to which a row goes."""
        return (0,)


class Map(Operator):
    """Applies a function to each row, and keeps the row's time.

    Example: Map(lambda row: {"ip": row["ip"]})
    """

    def __init__(self, change: Callable[[Row], Row]) -> None:
        super().__init__()
        self.change = change

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the changed row."""
        return [{**self.change(row), "t": row["t"]}]


class Filter(Operator):
    """Keeps the rows for which a condition holds.

    Example: Filter(lambda row: row["duration_s"] > 10)
    """

    def __init__(self, holds: Condition) -> None:
        super().__init__()
        self.holds = holds

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row if the condition holds, otherwise no row."""
        return [row] if self.holds(row) else []


class Demux(Operator):
    """Sends each row to every output whose condition holds, and to no output if none holds.

    Example: Demux([lambda row: row["v"] > 0, lambda row: row["v"] % 2 == 0]) has two outputs
    """

    def __init__(self, conditions: Sequence[Condition]) -> None:
        super().__init__()
        self.conditions, self.outputs = list(conditions), len(conditions)

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row."""
        return [row]

    def streams_of(self, row: Row) -> Sequence[int]:
        """Return the numbers of the outputs whose condition holds."""
        return [output for output, holds in enumerate(self.conditions) if holds(row)]


class Union(Operator):
    """Merges several streams into one."""

    def __init__(self, inputs: int = 2) -> None:
        super().__init__()
        self.inputs = inputs

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row."""
        return [row]


class Numbered(Operator):
    """Numbers the rows of each group 1, 2, 3, … in a new field: the smallest stateful operator.

    Example: Numbered(["word"], "count") gives {"word": "to", "count": 2} for the second row with the word "to"
    """

    stateful = True

    def __init__(self, group_by: Sequence[str], field: str) -> None:
        super().__init__()
        self.group_by, self.field = tuple(group_by), field

    def keys(self, port: int) -> tuple[str, ...]:
        """Return the fields that define a group."""
        return self.group_by

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row with its number."""
        group = tuple(row[field] for field in self.group_by)
        self.state[group] = self.state.get(group, 0) + 1
        return [{**row, self.field: self.state[group]}]
