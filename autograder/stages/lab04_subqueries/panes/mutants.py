"""Wrong versions of Panes and add_row, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

ADDED = "each_value_is_combined_into_the_pane_that_holds_it"
COMBINED = "a_window_is_combined_from_its_panes"
DELETED = "panes_that_no_later_window_holds_are_deleted"
CLOSED = "the_last_row_of_a_window_closes_it"
AGAIN = "a_group_without_panes_starts_again"

reference("Panes")

# Right only if the advance divides the size.
mutant("as_long_as_the_advance", [ADDED, COMBINED, DELETED], ("math.gcd(*window)", "window.advance"))
# Right results, but a pane for each position.
mutant("a_pane_for_each_position", [ADDED, DELETED], ("math.gcd(*window)", "1"))
mutant("every_pane_is_new", ADDED, ("return is_new", "return True"))
mutant("panes_of_none_are_left_out", COMBINED, ("if pane in panes]", "if panes.get(pane, [None]) != [None]]"))
mutant(
    "without_the_last_pane",
    [COMBINED, DELETED],
    (
        "// self.length, (start + self.window.size) // self.length",
        "// self.length, (start + self.window.size - 1) // self.length",
    ),
)
# Deletes all panes of the window, also those that the next one holds.
mutant(
    "the_whole_window_is_deleted",
    [COMBINED, DELETED],
    ("range(first, first + self.window.advance // self.length)", "range(first, after)"),
)

reference("add_row")

mutant("a_window_for_each_row", CLOSED, (" and start % panes.window.advance == 0", ""))
mutant("counts_on", AGAIN, ("group.clear()", "pass"))
# Also if windows overlap.
mutant("starts_again_after_each_window", [CLOSED, AGAIN], ("if not kept:", "if results is not None:"))

survivor(
    "Panes",
    "first, after = start // self.length, (start + self.window.size) // self.length",
    "first, after = start // self.length, (start + self.window.size) * self.length",
    reason="equivalent: a window closes before any later value comes",
)
survivor(
    "Panes",
    "first, after = start // self.length, (start + self.window.size) // self.length",
    "first, after = start // self.length, (start + self.window.size) + self.length",
    reason="equivalent: a window closes before any later value comes",
)
survivor(
    "Panes",
    "first, after = start // self.length, (start + self.window.size) // self.length",
    "first, after = start // self.length, (start + self.window.size) | self.length",
    reason="equivalent: a window closes before any later value comes",
)
survivor(
    "Panes",
    "for function, value in zip(self.functions, values, strict=True)",
    "for function, value in zip(self.functions, values, strict=False)",
    reason="equivalent: there are as many values as functions",
)
survivor(
    "Panes",
    "for function, a, b in zip(self.functions, earlier, later, strict=True)",
    "for function, a, b in zip(self.functions, earlier, later, strict=False)",
    reason="equivalent: there are as many values as functions",
)
survivor(
    "Panes",
    "for function, partial in zip(self.functions, partials, strict=True)",
    "for function, partial in zip(self.functions, partials, strict=False)",
    reason="equivalent: there are as many values as functions",
)
survivor(
    "add_row",
    "if start >= 0 and start % panes.window.advance == 0",
    "if start >= 0 and start % panes.window.advance <= 0",
    reason="equivalent: no remainder is below 0",
)
