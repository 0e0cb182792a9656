"""Wrong versions of `GuardedStore` and `repair`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, survivor

OPENS = "it_opens_after_failures_in_a_row_and_asks_nobody"
DECIDES = "one_call_decides_after_the_rest"
ANSWERS = "no_answer_is_not_unknown"
CHAIN = "your_own_lab_6_remembers_limits"
OLDEST = "the_oldest_are_decided_first"
ONCE = "each_is_decided_once"
SILENT = "no_answer_decides_nothing"

# GuardedStore

mutant(
    "one_failure_too_many",
    [OPENS, DECIDES, CHAIN],
    ("if self._errors < self._trips:", "if self._errors <= self._trips:"),
    of="GuardedStore",
)
mutant(
    "failures_are_counted_for_ever",
    [OPENS, DECIDES],
    ("        self._errors = 0\n", '        self._errors = self._errors if self.state == "closed" else 0\n'),
    of="GuardedStore",
)
mutant(
    "rests_a_moment_too_long",
    [DECIDES, CHAIN],
    ("self._clock() < self._rests_until_s", "self._clock() <= self._rests_until_s"),
    of="GuardedStore",
)
mutant(
    "rests_from_the_call",
    DECIDES,
    ("        try:\n", "        called_s = self._clock()\n        try:\n"),
    ("= self._clock() + self._rest_s", "= called_s + self._rest_s"),
    of="GuardedStore",
)
mutant(
    "never_tries_again",
    [DECIDES, CHAIN],
    ('return "open" if self._clock() < self._rests_until_s else "half-open"', 'return "open"'),
    of="GuardedStore",
)
mutant(
    "a_bug_while_half_open_closes_it",
    DECIDES,
    ("        try:\n", "        self._errors = min(self._errors, self._trips - 1)\n        try:\n"),
    of="GuardedStore",
)
mutant(
    "closes_after_the_rest",
    [DECIDES, CHAIN],
    ("self._errors += 1", 'self._errors = 1 if self.state == "half-open" else self._errors + 1'),
    of="GuardedStore",
)
mutant(
    "an_error_is_unknown",
    [ANSWERS, CHAIN],
    (
        "+ self._rest_s\n            return dict.fromkeys(keys, NO_ANSWER)",
        "+ self._rest_s\n            return dict.fromkeys(keys)",
    ),
    of="GuardedStore",
)
mutant("a_bug_is_no_answer", [OPENS, DECIDES, ANSWERS], ("except StoreError:", "except Exception:"), of="GuardedStore")
mutant(
    "only_known_keys",
    [ANSWERS, CHAIN],
    ("{key: rows.get(key) for key in keys}", "{key: rows[key] for key in keys if key in rows}"),
    of="GuardedStore",
)
mutant(
    "no_keys_decide", [OPENS, DECIDES, CHAIN], ("        if not keys:\n            return {}\n", ""), of="GuardedStore"
)

# repair

mutant("the_newest_first", [OLDEST, SILENT], ("[:most]", "[::-1][:most]"), of="repair")
mutant(
    "a_call_for_each",
    OLDEST,
    (
        "limits = store.get_many({row.account for row in oldest})",
        "limits = {row.account: store.get_many([row.account])[row.account] for row in oldest}",
    ),
    of="repair",
)
mutant(
    "asks_for_all",
    OLDEST,
    ("store.get_many({row.account for row in oldest})", "store.get_many({row.account for row in rows})"),
    of="repair",
)
mutant("decides_cleared_ones_again", ONCE, ('("SPENT", "CLEARED")', '("SPENT",)'), of="repair")
mutant("any_row_decides", ONCE, ('row.kind in ("SPENT", "CLEARED")', 'row.kind != "UNDECIDED"'), of="repair")
mutant(
    "decides_each_copy",
    ONCE,
    (
        "        if limit is not NO_ANSWER:\n",
        "        for _ in [each for each in rows if each == row] if limit is not NO_ANSWER else []:\n",
    ),
    of="repair",
)
mutant(
    "no_answer_clears",
    SILENT,
    (
        "        if limit is not NO_ANSWER:\n",
        '        if limit is NO_ANSWER:\n            decisions.append(row._replace(kind="CLEARED"))\n        else:\n',
    ),
    of="repair",
)
mutant(
    "unknown_is_no_answer",
    [OLDEST, ONCE, SILENT],
    ("if limit is not NO_ANSWER:", "if limit is not NO_ANSWER and limit is not None:"),
    of="repair",
)


# Takes the oldest rows before it looks for copies and decisions.
@mutant("a_place_for_each_row", ONCE)
def repair(rows, store, most):
    if most < 1:
        raise ValueError(f"expected most >= 1, got {most}")
    decided = {row[1:3] for row in rows if row.kind in ("SPENT", "CLEARED")}
    oldest = list(dict.fromkeys([row for row in rows if row.kind == "UNDECIDED" and row[1:3] not in decided][:most]))
    limits = store.get_many({row.account for row in oldest})
    return [
        row._replace(kind="SPENT" if row.cents > limit_of(limits[row.account]) else "CLEARED")
        for row in oldest
        if limits[row.account] is not NO_ANSWER
    ]


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
    "repair",
    "if limit is not NO_ANSWER:",
    "if limit != NO_ANSWER:",
    reason="equivalent: nothing else equals NO_ANSWER",
)
survivor(
    "repair",
    'if row.kind == "UNDECIDED":',
    'if row.kind >= "UNDECIDED":',
    reason="equivalent: it is the largest of the four kinds",
)
