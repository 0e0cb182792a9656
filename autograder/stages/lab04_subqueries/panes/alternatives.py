"""Other correct solutions of `Panes` and `add_row`; each must get full marks."""

import math

from autograder.checks.mutant_markers import alternative


# Looks at all panes, and compares their positions.
@alternative("all_panes_compared")
class Panes:
    def __init__(self, window, functions):
        self.window, self.functions = window, list(functions)
        self.length = math.gcd(window.size, window.advance)

    def add(self, panes, at, values):
        before = panes.get(at // self.length)
        now = []
        for number, function in enumerate(self.functions):
            value = function.lift(values[number])
            now.append(value if before is None else function.combine(before[number], value))
        panes[at // self.length] = tuple(now)
        return before is None

    def close(self, panes, start):
        merged = None
        for pane in sorted(panes):
            if start <= pane * self.length < start + self.window.size:
                parts = panes[pane]
                if merged is not None:
                    parts = [f.combine(a, b) for f, a, b in zip(self.functions, merged, parts, strict=True)]
                merged = parts
        for pane in list(panes):
            if pane * self.length < start + self.window.advance:
                del panes[pane]
        return [function.lower(part) for function, part in zip(self.functions, merged, strict=True)]


# Asks `window_starts` whether a window starts there.
@alternative("with_window_starts")
def add_row(panes, group, values):
    if not group:
        group.update(rows=0, panes={})
    at = group["rows"]
    group["rows"] += 1
    panes.add(group["panes"], at, values)
    start, results = at - panes.window.size + 1, None
    if start in window_starts(panes.window, at):
        results = panes.close(group["panes"], start)
    if len(group["panes"]) == 0:
        del group["rows"], group["panes"]
    return results
