"""The checks of `service_levels` and `post_mortem`."""

from autograder.checks import Case, Mismatch, Rows, claims
from autograder.checks.registry import Judge
from autograder.checks.rejection import must_reject
from autograder.stages.lab09_system.levels import cases, cases_timelines, comparators, oracle, oracle_timelines


def _fields(*names: str) -> Judge:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected = oracle.levels(case)
        if expected is None:
            return must_reject(comparators.levels_text(case), rows)
        return comparators.wrong_levels(case, expected, rows, *names)

    return judge


def _seconds(case: Case, rows: Rows) -> Mismatch | None:
    return comparators.wrong_seconds(case, oracle_timelines.incidents(case), rows)


def _kinds(case: Case, rows: Rows) -> Mismatch | None:
    return comparators.wrong_kinds(case, oracle_timelines.incidents(case), rows)


def _recoveries(case: Case, rows: Rows) -> Mismatch | None:
    return comparators.wrong_recoveries(case, oracle_timelines.incidents(case), rows)


CLAIMS = claims(
    ("service_levels", "a_lost_alert_counts_in_every_percentile", cases.lost, _fields("p50_ms", "p99_ms"), 13),
    ("service_levels", "copies_and_strangers_are_counted", cases.copies, _fields("lost", "twice", "unknown"), None),
    ("service_levels", "latency_counts_from_the_event", cases.latencies, _fields("p50_ms", "p99_ms"), 13),
    ("service_levels", "the_budget_counts_what_is_overdue", cases.budgets, _fields("bad", "budget_left"), None),
    ("service_levels", "a_page_needs_both_windows", cases.pages, _fields("pages"), None),
    ("post_mortem", "each_fault_is_found_once_with_its_seconds", cases_timelines.faults, _seconds, None),
    ("post_mortem", "a_symptom_is_not_a_cause", cases_timelines.causes, _kinds, None),
    ("post_mortem", "a_breaker_that_probes_is_one_incident", cases_timelines.pauses, _seconds, None),
    ("post_mortem", "recovery_ends_when_the_lag_is_back", cases_timelines.recoveries, _recoveries, None),
    after={
        "the_budget_counts_what_is_overdue": "latency_counts_from_the_event",
        "a_symptom_is_not_a_cause": "each_fault_is_found_once_with_its_seconds",
    },
)
