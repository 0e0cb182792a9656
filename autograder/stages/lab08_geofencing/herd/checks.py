"""The checks of `contacts` and `scaling`."""

from autograder.checks import Case, Mismatch, Rows, claims
from autograder.checks.registry import Judge
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab08_geofencing.herd import cases, cases_scaling, comparators, oracle

# contacts


def _of(group: str) -> Judge:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected = oracle.contacts(case)
        return comparators.wrong_contacts(expected, rows, case["arguments"], group)

    return judge


# scaling

RATES = comparators.FIELDS[:-1]


def _figures(*fields: str) -> Judge:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected, call = oracle.scaled(case), comparators.scaling_text(case["runs"])
        if expected is None:
            return must_reject(call, rows, "MeasuringError")
        wrong = must_answer(call, "a list", rows)
        return wrong or comparators.wrong_figures(expected, rows, case["runs"], list(fields))

    return judge


CLAIMS = claims(
    ("contacts", "two_animals_meet_if_they_are_near_in_one_window", cases.plays, _of(cases.NEAR), 5),
    ("contacts", "neighbours_in_different_cells_are_found", cases.plays, _of(cases.CELLS), 12),
    ("contacts", "meetings_without_a_pause_are_one_contact", cases.plays, _of(cases.PAUSES), 12),
    ("contacts", "late_fixes_within_the_lateness_count", cases.plays, _of(cases.LATE), 8),
    ("scaling", "offered_achieved_and_lag_are_reported_together", cases_scaling.reported, _figures(*RATES), 13),
    (
        "scaling",
        "a_run_that_keeps_up_proves_no_speed_up",
        cases_scaling.keeping_up,
        _figures("nodes", "bound", "speedup"),
        13,
    ),
    ("scaling", "impossible_measurements_are_rejected", cases_scaling.impossible, _figures("nodes"), 14),
    after={
        "neighbours_in_different_cells_are_found": "two_animals_meet_if_they_are_near_in_one_window",
        "meetings_without_a_pause_are_one_contact": "two_animals_meet_if_they_are_near_in_one_window",
        "late_fixes_within_the_lateness_count": "two_animals_meet_if_they_are_near_in_one_window",
        "a_run_that_keeps_up_proves_no_speed_up": "offered_achieved_and_lag_are_reported_together",
        "impossible_measurements_are_rejected": "offered_achieved_and_lag_are_reported_together",
    },
)
