"""Wrong versions of window_starts, aggregate_function and Aggregate, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, right, survivor
from streamlab.lab04_subqueries.engine import AggregateFunction, Operator, TimeWindow

BORDERS = "a_window_holds_its_start_and_not_its_end"
EVERY_WINDOW = "every_window_that_holds_a_position_is_returned"
RESULT = "each_function_gives_its_own_result"
SIZED = "a_size_window_is_emitted_only_when_it_is_full"
GROUPS = "groups_are_aggregated_separately"
CLOSING = "a_time_window_is_emitted_when_time_reaches_its_end"
ONCE = "a_row_is_combined_once_however_many_windows_hold_it"
STATE = "another_aggregate_continues_from_its_state"
DELETED = "state_that_no_window_needs_is_deleted"
FASTER = "panes_are_faster_than_windows_that_keep_their_rows"

reference("window_starts")

mutant("end_belongs_to_it", [BORDERS, EVERY_WINDOW], ("(at - size) // advance + 1", "-((size - at) // advance)"))
# As in HiBench's Gearpump: a record is in its newest window only.
mutant(
    "newest_window_only",
    [BORDERS, EVERY_WINDOW],
    ("range(first, at // advance + 1)", "range(max(first, at // advance), at // advance + 1)"),
)
# As many windows for every position.
mutant(
    "as_if_the_advance_divides_the_size",
    EVERY_WINDOW,
    ("(at - size) // advance + 1", "at // advance - size // advance + 1"),
)

# aggregate_function


@right
def aggregate_function(name):
    def same(value):
        return value

    if name == "COUNT":
        return AggregateFunction(lambda value: 1, lambda a, b: a + b, same)
    if name == "AVG":
        return AggregateFunction(lambda v: (v, 1), lambda a, b: (a[0] + b[0], a[1] + b[1]), lambda p: p[0] / p[1])
    if name == "SUM":
        return AggregateFunction(same, lambda a, b: a + b, same)
    if name == "FIRST_VAL":
        return AggregateFunction(same, lambda a, b: a, same)
    if name == "LAST_VAL":
        return AggregateFunction(same, lambda a, b: b, same)
    return AggregateFunction(same, min if name == "MIN" else max, same)


mutant(
    "a_plain_tuple",
    RESULT,
    ("return AggregateFunction(lambda value: 1,", "return tuple((lambda value: 1,"),
    ('lambda a, b: a + b, same)\n    if name == "AVG"', 'lambda a, b: a + b, same))\n    if name == "AVG"'),
)
mutant("first_is_last", RESULT, ("lambda a, b: a, same", "lambda a, b: b, same"))  # the paper's listing
mutant("maximum_starts_at_0", RESULT, ("max, same)", "lambda a, b: max(a, b, 0), same)"))


# The partial result of a pane is changed by the first window that it is combined into.
@mutant("changes_its_argument", RESULT)
def aggregate_function(name):
    def added(a, b):
        a[0] += b[0]
        a[1] += b[1]
        return a

    def total(a, b):
        return a + b

    later = {"COUNT": total, "SUM": total, "MIN": min, "MAX": max, "FIRST_VAL": lambda a, b: a}
    lift = {"COUNT": lambda value: 1, "AVG": lambda value: [value, 1]}.get(name, lambda value: value)
    if name == "AVG":
        return AggregateFunction(lift, added, lambda pair: pair[0] / pair[1])
    return AggregateFunction(lift, later.get(name, lambda a, b: b), lambda value: value)


reference("Aggregate")

# Counts the rows of all groups together.
mutant(
    "one_count_for_all_groups",
    [SIZED, STATE, DELETED],
    (
        "results = add_row(self.panes, kept, values)",
        'kept["rows"] = self.state.get("rows", 0)\n'
        '        self.state["rows"] = kept["rows"] + 1\n'
        "        results = add_row(self.panes, kept, values)",
    ),
)
mutant(
    "groups_by_their_text",
    GROUPS,
    (
        "tuple(row[field] for field in self.group_by)\n        kept",
        "tuple(str(row[field]) for field in self.group_by)\n        kept",
    ),
)
mutant(
    "rows_with_none_are_left_out",
    CLOSING,
    (
        "values = [row[field] for field in self.fields]",
        "values = [row[field] for field in self.fields]\n        if None in values:\n            return []",
    ),
)
mutant(
    "one_field_for_each_name",
    CLOSING,
    (
        "self.fields = [field for _, field in functions.values()]",
        "self.fields = [dict(functions.values())[name] for name, _ in functions.values()]",
    ),
)
# As in HiBench's Trident: results of all groups are labelled with the last one.
mutant(
    "labelled_with_the_last_group",
    [GROUPS, CLOSING, STATE, DELETED, FASTER],
    (
        "rows.append(self._row(group, results, end - 1))",
        "rows.append(self._row(group, results, end - 1))\n"
        "            rows = [{**row, **{f: rows[-1][f] for f in self.group_by}} for row in rows]",
    ),
)
# As in HiBench's Gearpump: only another row closes a window.
mutant("closes_one_ms_late", CLOSING, ("<= now_ms:", "< now_ms:"))
# The state is small in the end, but a stream never ends.
mutant(
    "deletes_only_when_no_window_is_open",
    DELETED,
    (
        'if not self.state["groups"][group]:\n            del self.state["groups"][group]',
        'if not any(self.state["groups"].values()):\n            self.state["groups"].clear()',
    ),
)


# Correct, but each window combines its own rows.
@mutant("a_sum_for_each_window", [ONCE, FASTER])
class Aggregate(Operator):
    stateful = True

    def __init__(self, group_by, window, functions):
        super().__init__()
        self.group_by, self.window = tuple(group_by), window
        self.functions = {name: (aggregate_function(each), field) for name, (each, field) in functions.items()}
        self.is_timed = isinstance(window, TimeWindow)
        self.state = {"windows": {}, "rows": {}}

    def keys(self, port):
        return self.group_by

    def on_row(self, row, port=0):
        group = tuple(row[field] for field in self.group_by)
        at = row["t"] if self.is_timed else self.state["rows"].get(group, 0)
        for start in window_starts(self.window, at):
            end = start + self.window.size
            groups = self.state["windows"].setdefault(end, {})
            for name, (function, field) in self.functions.items():
                value = function.lift(row[field])
                parts = groups.setdefault(group, {})
                parts[name] = function.combine(parts[name], value) if name in parts else value
        if self.is_timed:
            return []
        self.state["rows"][group] = at + 1
        closed = self._closed(at + 1, [group], row["t"]) if at + 1 in self.state["windows"] else []
        if closed and self.window.advance == self.window.size:
            del self.state["rows"][group]
        return closed

    def on_time(self, now_ms):
        if not self.is_timed:
            return []
        ends = [end for end in self.state["windows"] if end <= now_ms]
        return [row for end in ends for row in self._closed(end, list(self.state["windows"][end]), end - 1)]

    def _closed(self, end, groups, time_ms):
        rows = []
        for group in groups:
            if group in self.state["windows"][end]:
                parts = self.state["windows"][end].pop(group)
                results = {name: self.functions[name][0].lower(part) for name, part in parts.items()}
                rows.append({**dict(zip(self.group_by, group, strict=True)), **results, "t": time_ms})
        if not self.state["windows"][end]:
            del self.state["windows"][end]
        return rows


# Automatic mutants that no check can catch

survivor(
    "Aggregate",
    "return dict(zip(names, (*group, *results, time_ms), strict=True))",
    "return dict(zip(names, (*group, *results, time_ms), strict=False))",
    reason="equivalent: both have one entry for each field or function",
)
survivor(
    "Aggregate",
    "def on_row(self, row: Row, port: int = 0) -> list[Row]:",
    "def on_row(self, row: Row, port: int = 1) -> list[Row]:",
    reason="equivalent: an operator with one input does not look at the port",
)
survivor(
    "Aggregate",
    "def on_row(self, row: Row, port: int = 0) -> list[Row]:",
    "def on_row(self, row: Row, port: int = -1) -> list[Row]:",
    reason="equivalent: an operator with one input does not look at the port",
)
