"""Other right solutions of `GuardedStore` and `repair`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# The state is computed from a log of all calls to the store.
@alternative("a_log_of_calls")
class GuardedStore:
    def __init__(self, store, trips, rest_s, clock):
        if trips < 1 or rest_s < 0 or not math.isfinite(rest_s):
            raise ValueError("trips must be 1 or more, and rest_s finite")
        self.store, self.trips, self.rest_s, self.clock, self.log = store, trips, rest_s, clock, []

    @property
    def state(self):
        last = self.log[-self.trips :]
        if len(last) < self.trips or None in last:
            return "closed"
        return "half-open" if self.clock() - last[-1] >= self.rest_s else "open"

    def get_many(self, keys):
        answers = {key: NO_ANSWER for key in keys}
        if answers and self.state != "open":
            try:
                rows = self.store.get_many(list(answers))
            except StoreError:
                self.log.append(self.clock())
            else:
                self.log.append(None)
                answers = {key: rows.get(key) for key in answers}
        return answers


# A machine of states, which rests until the first question after the rest.
@alternative("a_state_machine")
class GuardedStore:
    def __init__(self, store, trips, rest_s, clock):
        if not (trips >= 1 and 0 <= rest_s < float("inf")):
            raise ValueError(trips, rest_s)
        self.asked, self.trips, self.rest_s, self.clock = store, trips, rest_s, clock
        self.now, self.left, self.until = "closed", trips, None

    @property
    def state(self):
        if self.now == "open" and self.clock() >= self.until:
            self.now = "half-open"
        return self.now

    def get_many(self, keys):
        if len(keys) == 0:
            return dict()
        if self.state != "open":
            try:
                known = self.asked.get_many(tuple(keys))
                self.now, self.left = "closed", self.trips
                return dict.fromkeys(keys) | known
            except StoreError:
                self.left -= 1
                if self.now == "half-open" or self.left == 0:
                    self.now, self.until = "open", self.clock() + self.rest_s
        return {key: NO_ANSWER for key in keys}


# Walks through the log from its end, so that the first UNDECIDED of a window comes last.
@alternative("backwards")
def repair(rows, store, most):
    if most <= 0:
        raise ValueError("most must be positive")
    done, first = set(), {}
    for row in rows:
        if row.kind == "SPENT" or row.kind == "CLEARED":
            done.add(row[1:3])
    for at in range(len(rows) - 1, -1, -1):
        if rows[at].kind == "UNDECIDED" and rows[at][1:3] not in done:
            first[rows[at][1:3]] = at
    chosen = [rows[at] for at in sorted(first.values())][:most]
    if not chosen:
        return []
    answers, decisions = store.get_many([row.account for row in chosen]), []
    for _, account, subject, time_ms, cents in chosen:
        if isinstance(answers[account], str) or answers[account] is None:
            kind = "SPENT" if cents > int(answers[account] or 0) else "CLEARED"
            decisions.append((kind, account, subject, time_ms, cents))
    return tuple(decisions)
