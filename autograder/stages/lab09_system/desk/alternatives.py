"""Other right solutions of `Desk`; each must get full marks."""

import heapq

from autograder.checks.mutant_markers import alternative


# A heap of waiting rows, pairs (account, shop) of those inside, and windows that close at the end of each run.
@alternative("a_heap")
class Desk:
    def __init__(self, state=None):
        self.heap, self.pairs, self.open, self.seen, self.paid, watched, sums = state or (
            [],
            set(),
            [],
            {},
            {},
            None,
            0,
        )
        self.watch = Watch(watched)
        functions = {"total": ("SUM", "cents"), "bound": ("LAST_VAL", "bound"), "rows": ("COUNT", "cents")}
        self.sums = Aggregate(("who",), TimeWindow(size=WINDOW_MS, advance=ADVANCE_MS), functions)
        if sums:
            self.sums.state = sums

    @property
    def state(self):
        sums = self.sums.state
        return self.heap, self.pairs, self.open, self.seen, self.paid, self.watch.state, sums

    def run(self, arrived, watermark_ms):
        found = []
        for row in arrived:
            heapq.heappush(self.heap, (order_of(row), len(self.heap), type(row).__name__, row))
        while self.heap and self.heap[0][0][0] <= watermark_ms:
            _, _, kind, row = heapq.heappop(self.heap)
            found += getattr(self, kind.lower())(row)
        found += self.ended(watermark_ms + 1)
        for who, times in list(self.paid.items()):
            self.paid[who] = {one: at_ms for one, at_ms in times.items() if at_ms >= watermark_ms - REPEAT_MS}
        return tuple(found)

    def change(self, row):
        self.open = [shop for shop in self.open if shop != row.fence] + [row.fence] * (row.polygons is not None)
        return self.note(self.watch.change(row))

    def position(self, row):
        self.seen[row.mover] = row.time_ms
        return self.note(self.watch.move(row))

    def payment(self, row):
        times = self.paid.setdefault(row.account, {})
        if row.id in times and times[row.id] + REPEAT_MS >= row.time_ms:
            return []
        times[row.id] = row.time_ms
        found = [*self.ended(row.time_ms)]
        self.sums.on_row({"t": row.time_ms, "who": row.account, "cents": row.cents, "bound": row.limit_cents})
        seen_ms = self.seen.get(row.account)
        if seen_ms is None or seen_ms + FRESH_MS < row.time_ms or row.shop not in self.open:
            return found
        if (row.account, row.shop) in self.pairs:
            return found
        return [*found, Alert("AWAY", row.account, row.id, row.time_ms, row.cents)]

    def ended(self, now_ms):
        for window in self.sums.on_time(now_ms):
            cents, limit = window["total"], window["bound"]
            if limit is None or cents > limit:
                kind = "UNDECIDED" if limit is None else "SPENT"
                yield Alert(kind, window["who"], str(window["t"] + 1), window["t"], cents)

    def note(self, events):
        for event in events:
            if event.kind == "EXIT":
                self.pairs.discard((event.mover, event.fence))
            else:
                self.pairs.add((event.mover, event.fence))
        return []
