# %% [markdown]
# `PlainDesk` keeps a list of all rows. Each payment and each window looks at all of them again. (It expects the rows in
# the order of their times, none of them early or late.)

# %% role="given"
from streamlab.lab08_geofencing.geo import bounds
from streamlab.lab09_system import ADVANCE_MS, FRESH_MS, REPEAT_MS, WINDOW_MS, Alert, Change, Payment, Position


# %% task="Desk"
class Desk:
    def __init__(self, state=None):
        self.state = {"rows": [], "closed_ms": 0} if state is None else state

    def run(self, arrived, watermark_ms):
        alerts = [alert for row in arrived if self._is_new(row) for alert in self._away(row)]
        for end in range(self.state["closed_ms"] + ADVANCE_MS, watermark_ms + 2, ADVANCE_MS):
            self.state["closed_ms"] = end
            window = [row for row in self._all(Payment) if end - WINDOW_MS <= row.time_ms < end]
            for account in {row.account for row in window}:
                cents = sum(row.cents for row in window if row.account == account)
                limit = [row.limit_cents for row in window if row.account == account][-1]
                if cents > limit:
                    alerts.append(Alert("SPENT", account, str(end), end - 1, cents))
        return alerts

    def _is_new(self, row):
        same = [each for each in self._all(type(row)) if each[0] == row[0] and isinstance(row, Payment)]
        is_new = not any(each.id == row.id and row.time_ms - each.time_ms <= REPEAT_MS for each in same)
        self.state["rows"] += [row] if is_new else []
        return is_new

    def _away(self, row):
        if not isinstance(row, Payment):
            return
        places = [each for each in self._all(Position) if each.mover == row.account]
        shops = [each for each in self._all(Change) if each.fence == row.shop]
        if places and shops and row.time_ms - places[-1].time_ms <= FRESH_MS:
            box, (_, _, lon, lat, _) = bounds(shops[-1].polygons), places[-1]
            if not (box.west <= lon <= box.east and box.south <= lat <= box.north):
                yield Alert("AWAY", row.account, row.id, row.time_ms, row.cents)

    def _all(self, kind):
        return [row for row in self.state["rows"] if isinstance(row, kind)]
