# wrong: combines the panes from the latest to the earliest; breaks "combine gets the earlier values first"
# caught by: a_window_is_combined_from_its_panes
class Panes:
    def __init__(self, window: TimeWindow | SizeWindow, functions: Sequence[AggregateFunction]) -> None:
        self.window, self.functions = window, list(functions)
        self.length = math.gcd(window.size, window.advance)

    def add(self, panes, at, values):
        number = at // self.length
        lifted = [f.lift(v) for f, v in zip(self.functions, values, strict=True)]
        new = number not in panes
        panes[number] = lifted if new else [f.combine(a, b) for f, a, b in zip(self.functions, panes[number], lifted)]
        return new

    def close(self, panes, start):
        parts = [panes[number] for number in sorted(panes, reverse=True)]
        results = [f.lower(reduce(f.combine, column)) for f, column in zip(self.functions, zip(*parts))]
        for number in [n for n in panes if n * self.length < start + self.window.advance]:
            del panes[number]
        return results
