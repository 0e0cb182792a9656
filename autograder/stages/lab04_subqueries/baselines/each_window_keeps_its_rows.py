# %% [markdown]
# Each window keeps its rows and looks at all of them when it closes.

# %% role="given"
from streamlab.lab04_subqueries.engine import Operator, TimeWindow

FUNCTIONS = {"COUNT": len, "SUM": sum, "MAX": max, "FIRST_VAL": lambda v: v[0], "LAST_VAL": lambda v: v[-1]}


# %% task="Aggregate"
class Aggregate(Operator):
    stateful = True

    def __init__(self, group_by, window: TimeWindow, functions) -> None:
        super().__init__()
        self.group_by, self.window, self.functions = group_by, window, functions

    def on_row(self, row, port=0):
        size, advance = self.window
        group = tuple(row[field] for field in self.group_by)
        for k in range((row["t"] - size) // advance + 1, row["t"] // advance + 1):
            self.state.setdefault(k * advance + size, {}).setdefault(group, []).append(row)
        return []

    def on_time(self, now_ms):
        closed = []
        while self.state and (end := next(iter(self.state))) <= now_ms:
            closed += [self._result(group, rows, end - 1) for group, rows in self.state.pop(end).items()]
        return closed

    def _result(self, group, rows, time_ms):
        result = dict(zip(self.group_by, group, strict=True))
        for name, (function, field) in self.functions.items():
            result[name] = FUNCTIONS[function]([row[field] for row in rows])
        return {**result, "t": time_ms}
