"""The checks of `contacts` and `scaling`."""

from autograder.checks import Case, Mismatch, Rows, claim
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


CLAIMS = [
    claim(
        "contacts",
        "two_animals_meet_if_they_are_near_in_one_window",
        cases=cases.plays,
        judge=_of(cases.NEAR),
        invariant=5,
    ),
    claim(
        "contacts",
        "neighbours_in_different_cells_are_found",
        cases=cases.plays,
        judge=_of(cases.CELLS),
        invariant=12,
        after="two_animals_meet_if_they_are_near_in_one_window",
    ),
    claim(
        "contacts",
        "meetings_without_a_pause_are_one_contact",
        cases=cases.plays,
        judge=_of(cases.PAUSES),
        invariant=12,
        after="two_animals_meet_if_they_are_near_in_one_window",
    ),
    claim(
        "contacts",
        "late_fixes_within_the_lateness_count",
        cases=cases.plays,
        judge=_of(cases.LATE),
        invariant=8,
        after="two_animals_meet_if_they_are_near_in_one_window",
    ),
    claim(
        "scaling",
        "offered_achieved_and_lag_are_reported_together",
        cases=cases_scaling.reported,
        judge=_figures(*RATES),
        invariant=13,
    ),
    claim(
        "scaling",
        "a_run_that_keeps_up_proves_no_speed_up",
        cases=cases_scaling.keeping_up,
        judge=_figures("nodes", "bound", "speedup"),
        invariant=13,
        after="offered_achieved_and_lag_are_reported_together",
    ),
    claim(
        "scaling",
        "impossible_measurements_are_rejected",
        cases=cases_scaling.impossible,
        judge=_figures("nodes"),
        invariant=14,
        after="offered_achieved_and_lag_are_reported_together",
    ),
]
