"""Wrong versions of `contacts` and `scaling`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

NEAR = "two_animals_meet_if_they_are_near_in_one_window"
CELLS = "neighbours_in_different_cells_are_found"
PAUSES = "meetings_without_a_pause_are_one_contact"
LATE = "late_fixes_within_the_lateness_count"
REPORTED = "offered_achieved_and_lag_are_reported_together"
KEEPS_UP = "a_run_that_keeps_up_proves_no_speed_up"
IMPOSSIBLE = "impossible_measurements_are_rejected"

reference("contacts")

mutant(
    "sliding_windows",
    [NEAR, CELLS, PAUSES, LATE],
    ('F.window("time", f"{window_s} seconds")', 'F.window("time", f"{window_s} seconds", f"{window_s / 2} seconds")'),
)

reference("scaling")

mutant("rates_from_zero", [REPORTED, KEEPS_UP, IMPOSSIBLE], ("= samples[0], samples[-1]", "= (0, 0, 0), samples[-1]"))
mutant("no_speedup_of_nothing", KEEPS_UP, ("/ per_node)", "/ per_node or None)"))
mutant("a_lag_that_falls_is_growth", KEEPS_UP, ("if growth > 0.02", "if abs(growth) > 0.02"))
# As in FenceX: a run that does all that is offered counts as one that scales.
mutant("speedup_of_a_load", KEEPS_UP, ('    if rows[0].bound == "load":\n        return rows\n', ""))
mutant(
    "believes_everything",
    IMPOSSIBLE,
    ("            if not 0 <= done <= offered:\n", "            if False:\n"),
    ("if next_s <= time_s or next_offered < offered or next_done < done:", "if False:"),
)

survivor(
    "scaling",
    'if rows[0].bound == "load":',
    'if rows[0].bound <= "load":',
    reason='equivalent: a bound is "load" or "nodes", which is greater',
)
