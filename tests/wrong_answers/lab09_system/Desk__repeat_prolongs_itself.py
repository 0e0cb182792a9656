# wrong: a repeat starts REPEAT_MS anew; breaks "of one that counted at most `REPEAT_MS` before changes nothing"
# caught by: a_payment_sent_again_counts_once
class Desk:
    """Find the alerts of one shard. `Desk()` starts empty, `Desk(state)` continues."""

    def __init__(self, state: Any = None) -> None:
        self.state = new_state() if state is None else state
        self._watch = Watch() if self.state["watch"] is None else Watch(self.state["watch"])
        values = {"cents": ("SUM", "cents"), "limit": ("LAST_VAL", "limit")}
        self._sums = Aggregate(["account"], TimeWindow(WINDOW_MS, ADVANCE_MS), values)
        if self.state["spent"] is not None:
            self._sums.state = self.state["spent"]

    def run(self, arrived: Sequence[Any], watermark_ms: int) -> list[Alert]:
        state, found, ready, later = self.state, [], [], []
        for row in [*state["waiting"], *arrived]:
            (ready if row.time_ms <= watermark_ms else later).append(row)
        state["waiting"] = later
        for row in sorted(ready, key=order_of):
            if isinstance(row, Payment):
                found += self._paid(row)
            elif isinstance(row, Change):
                shop, _, area, _ = row
                (state["shops"].add if area else state["shops"].discard)(shop)
                keep_inside(state["inside"], self._watch.change(row))
            else:
                account = row[0]
                if state["seen_ms"].get(account) != row.time_ms:  # of equal times, the lowest offset
                    state["seen_ms"][account] = row.time_ms
                    keep_inside(state["inside"], self._watch.move(row))
        found += self._closed(watermark_ms + 1)
        counted = state["counted_ms"].items()
        state["counted_ms"] = {key: ms for key, ms in counted if ms + REPEAT_MS >= watermark_ms}
        state["watch"], state["spent"] = self._watch.state, self._sums.state
        return found

    def _paid(self, row: Payment) -> list[Alert]:
        state, key = self.state, (row.account, row.id)
        before_ms = state["counted_ms"].get(key)
        state["counted_ms"][key] = row.time_ms
        if before_ms is not None and row.time_ms - before_ms <= REPEAT_MS:
            return []
        found = self._closed(row.time_ms)
        self._sums.on_row(
            {"t": row.time_ms, "account": row.account, "cents": row.cents, "limit": row.limit_cents}
        )
        seen_ms = state["seen_ms"].get(row.account)
        is_known = seen_ms is not None and row.time_ms - seen_ms <= FRESH_MS and row.shop in state["shops"]
        if is_known and row.shop not in state["inside"].get(row.account, ()):
            found.append(Alert("AWAY", row.account, row.id, row.time_ms, row.cents))
        return found

    def _closed(self, time_ms: int) -> list[Alert]:
        found = []
        for each in self._sums.on_time(time_ms):
            limit, end = each["limit"], each["t"] + 1
            if limit is None or each["cents"] > limit:
                kind = "UNDECIDED" if limit is None else "SPENT"
                found.append(Alert(kind, each["account"], str(end), end - 1, each["cents"]))
        return found
