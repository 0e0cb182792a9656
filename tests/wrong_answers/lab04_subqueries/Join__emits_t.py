# wrong: a t in the emitted row wins over the time of the later row; breaks 'The result is {**emit(left, right), "t": time of the later row}'
# caught by: each_pair_joins_once_whichever_row_comes_first
class Join(Operator):
    stateful, inputs = True, 2

    def __init__(
        self, left_ms: int, right_ms: int, emit: Callable[[Row, Row], Row], on: Sequence[tuple[str, str]] = (),
        group_by: Sequence[str] = (), predicate: Callable[[Row, Row], bool] = lambda left, right: True,
    ) -> None:
        super().__init__()
        self.last_ms, self.emit, self.predicate = (left_ms, right_ms), emit, predicate
        self.fields = [tuple(pair[port] for pair in on) + tuple(group_by) for port in (0, 1)]

    def keys(self, port):
        return self.fields[port] or None

    def _joins(self, earlier_t, port, t):
        return earlier_t == t or t - earlier_t < self.last_ms[port]

    def on_row(self, row, port=0):
        key = tuple(row[field] for field in self.fields[port])
        out, other = [], 1 - port
        for earlier in self.state.get((other, key), []):
            if self._joins(earlier["t"], other, row["t"]):
                left, right = (row, earlier) if port == 0 else (earlier, row)
                if self.predicate(left, right):
                    out.append({"t": row["t"], **self.emit(left, right)})
        self.state.setdefault((port, key), []).append(row)
        return out

    def on_time(self, now_ms):
        for (port, key), rows in list(self.state.items()):
            rows = [row for row in rows if self._joins(row["t"], port, now_ms)]
            if rows:
                self.state[port, key] = rows
            else:
                del self.state[port, key]
        return []
