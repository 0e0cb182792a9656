"""Wrong versions of `GuardedStore` and `repair`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

OPENS = "it_opens_after_failures_in_a_row_and_asks_nobody"
DECIDES = "one_call_decides_after_the_rest"
ANSWERS = "no_answer_is_not_unknown"
CHAIN = "your_own_lab_6_remembers_limits"
OLDEST = "the_oldest_are_decided_first"
ONCE = "each_is_decided_once"
SILENT = "no_answer_decides_nothing"

reference("GuardedStore")

mutant(
    "failures_are_counted_for_ever",
    [OPENS, DECIDES],
    ("        self._errors = 0\n", '        self._errors = self._errors if self.state == "closed" else 0\n'),
)
mutant(
    "rests_from_the_call",
    DECIDES,
    ("        try:\n", "        called_s = self._clock()\n        try:\n"),
    ("= self._clock() + self._rest_s", "= called_s + self._rest_s"),
)
mutant(
    "closes_after_the_rest",
    [DECIDES, CHAIN],
    ("self._errors += 1", 'self._errors = 1 if self.state == "half-open" else self._errors + 1'),
)
mutant(
    "asks_key_by_key",
    [OPENS, CHAIN],
    ("= self._store.get_many(keys)", "= {key: self._store.get_many([key]).get(key) for key in keys}"),
)
mutant("a_bug_is_no_answer", [OPENS, DECIDES, ANSWERS], ("except StoreError:", "except Exception:"))

reference("repair")

mutant("the_newest_first", [OLDEST, SILENT], ("[:most]", "[::-1][:most]"))
mutant(
    "asks_for_all",
    OLDEST,
    ("store.get_many({row.account for row in oldest})", "store.get_many({row.account for row in rows})"),
)


# A copy after the decision opens the window again: one pass, in which the last row wins.
@mutant("a_copy_opens_it_again", ONCE)
def repair(rows, store, most):
    if most < 1:
        raise ValueError(f"expected most >= 1, got {most}")
    windows = {}
    for row in rows:
        if row.kind == "UNDECIDED":
            windows.setdefault((row.account, row.subject), row)
        elif row.kind != "AWAY":
            windows.pop((row.account, row.subject), None)
    oldest = list(windows.values())[:most]
    limits = store.get_many([row.account for row in oldest])
    return [
        Alert("SPENT" if row.cents > limit_of(limits[row.account]) else "CLEARED", *row[1:])
        for row in oldest
        if limits[row.account] is not NO_ANSWER
    ]


survivor(
    "GuardedStore",
    'if self.state == "open":',
    'if self.state >= "open":',
    reason="equivalent: the other two states are smaller",
)
survivor(
    "GuardedStore",
    "if trips < 1 or not 0 <= rest_s < math.inf:",
    "if trips < 1 or not 0 <= rest_s != math.inf:",
    reason="equivalent: only infinity is not below infinity",
)
survivor(
    "repair", "if limit is not NO_ANSWER:", "if limit != NO_ANSWER:", reason="equivalent: nothing else equals NO_ANSWER"
)
survivor(
    "repair",
    'if row.kind == "UNDECIDED":',
    'if row.kind >= "UNDECIDED":',
    reason="equivalent: it is the largest of the four kinds",
)
