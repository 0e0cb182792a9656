"""The contract of an operator, and the operators that need no window."""

from collections.abc import Callable, Sequence
from typing import Any

from streamlab.engine.rows import Row

Condition = Callable[[Row], bool]


class Operator:
    """One box of a query. Derive from it to write an operator of your own.

    The engine calls `on_time(t)` before `on_row` with a row of time t; after that no row before t comes.
    All that an operator keeps between two calls is in `state`: another operator with a copy of it continues the work.
    """

    stateful = False
    inputs = 1
    outputs = 1

    def __init__(self) -> None:
        self.state: dict[Any, Any] = {}

    def keys(self, port: int) -> tuple[str, ...] | None:
        """Return the fields of input `port` that rows must share to meet in this operator.

        () says that all rows meet; None says that a row can meet any row of the other input.
        """
        return None

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Process one row of input `port` and return the rows that it gives."""
        raise NotImplementedError

    def on_time(self, now_ms: int) -> list[Row]:
        """Take note that no row before `now_ms` comes any more, and return the rows that this gives."""
        return []

    def streams_of(self, row: Row) -> Sequence[int]:
        """Return the numbers of the outputs to which a row goes."""
        return (0,)


class Map(Operator):
    """Apply a function to each row; the time of the row stays.

    Example: Map(lambda row: {"ip": row["ip"]})
    """

    def __init__(self, change: Callable[[Row], Row]) -> None:
        super().__init__()
        self.change = change

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the changed row."""
        return [{**self.change(row), "t": row["t"]}]


class Filter(Operator):
    """Keep the rows for which a condition holds.

    Example: Filter(lambda row: row["duration_s"] > 10)
    """

    def __init__(self, holds: Condition) -> None:
        super().__init__()
        self.holds = holds

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row or nothing."""
        return [row] if self.holds(row) else []


class Demux(Operator):
    """Send each row to every output whose condition holds, and to no output if none holds.

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
    """Merge several streams into one."""

    def __init__(self, inputs: int = 2) -> None:
        super().__init__()
        self.inputs = inputs

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row."""
        return [row]


class Numbered(Operator):
    """Number the rows of each group 1, 2, 3, … in a new field: the smallest stateful operator.

    Example: Numbered(["word"], "count") gives {"word": "to", "count": 2} for the second row with the word "to"
    """

    stateful = True

    def __init__(self, group_by: Sequence[str], field: str) -> None:
        super().__init__()
        self.group_by, self.field = tuple(group_by), field

    def keys(self, port: int) -> tuple[str, ...]:
        """Return the fields of the group."""
        return self.group_by

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        """Return the row with its number."""
        group = tuple(row[field] for field in self.group_by)
        self.state[group] = self.state.get(group, 0) + 1
        return [{**row, self.field: self.state[group]}]
