"""Wrong versions of Join, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

WINDOWS = "rows_join_while_the_earlier_one_is_in_its_window"
PAIRS = "each_pair_joins_once_whichever_row_comes_first"
FIELDS = "rows_join_if_their_fields_are_equal_and_the_predicate_holds"
ASKED = "the_predicate_is_called_only_for_pairs_in_their_windows"
DELETED = "rows_that_cannot_join_any_more_are_deleted"

reference("Join")

mutant("window_of_the_later_row", [WINDOWS, FIELDS, ASKED, DELETED], ("(left_ms, right_ms)", "(right_ms, left_ms)"))
# Left rows wait, and right rows join them.
mutant(
    "only_when_the_right_row_comes",
    [WINDOWS, PAIRS, FIELDS, ASKED, DELETED],
    (
        'for other in self.state["rows"][1 - port].get(key, ()):',
        'for other in self.state["rows"][0].get(key, ()) if port else ():',
    ),
)
mutant(
    "changes_what_emit_returns",
    PAIRS,
    (
        'joined.append({**self.emit(left, right), "t": row["t"]})',
        'joined.append(self.emit(left, right))\n                joined[-1]["t"] = row["t"]',
    ),
)
mutant(
    "equal_rows_are_kept_once",
    PAIRS,
    (
        'self.state["rows"][port].setdefault(key, deque()).append(row)',
        'if row in self.state["rows"][port].setdefault(key, deque()):\n'
        "            return joined\n"
        '        self.state["rows"][port][key].append(row)',
    ),
)
mutant("fields_of_the_left_for_both", FIELDS, ("pair[side] for pair in on", "pair[0] for pair in on"))
# The predicate comes first, and then the fields.
mutant(
    "asks_before_it_compares_fields",
    ASKED,
    (
        ".get(key, ()):",
        '.get(key, ()) if not self.fields[port] else [r for rs in self.state["rows"][1 - port].values() for r in rs]:',
    ),
    (
        "if self.predicate(left, right):",
        "if self.predicate(left, right) and [left[f] for f in self.fields[0]] == [right[f] for f in self.fields[1]]:",
    ),
)
# The state is small in the end, but a stream never ends.
mutant(
    "deletes_only_when_no_row_is_needed",
    DELETED,
    (
        ".get(key, ()):",
        ".get(key, ()):\n            if row['t'] - other['t'] >= self.windows_ms[1 - port]:\n                continue",
    ),
    ("ages[0][0] + window_ms", "ages[-1][0] + window_ms"),
)

# Automatic mutants that no check can catch

survivor(
    "Join",
    'for other in self.state["rows"][1 - port].get(key, ()):',
    'for other in self.state["rows"][1 >> port].get(key, ()):',
    reason="equivalent: the same for 0 and 1",
)
survivor(
    "Join",
    'for other in self.state["rows"][1 - port].get(key, ()):',
    'for other in self.state["rows"][1 ^ port].get(key, ()):',
    reason="equivalent: the same for 0 and 1",
)
survivor(
    "Join",
    'self.state["rows"], self.state["ages"], self.windows_ms, strict=True',
    'self.state["rows"], self.state["ages"], self.windows_ms, strict=False',
    reason="equivalent: all three have two entries",
)
