"""The checks of `service_levels` and `post_mortem`."""

from autograder.checks import Case, Mismatch, Rows, claim
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


CLAIMS = [
    claim(
        "service_levels",
        "a_lost_alert_counts_in_every_percentile",
        cases=cases.lost,
        judge=_fields("p50_ms", "p99_ms"),
        invariant=13,
    ),
    claim(
        "service_levels",
        "copies_and_strangers_are_counted",
        cases=cases.copies,
        judge=_fields("lost", "twice", "unknown"),
    ),
    claim(
        "service_levels",
        "latency_counts_from_the_event",
        cases=cases.latencies,
        judge=_fields("p50_ms", "p99_ms"),
        invariant=13,
    ),
    claim(
        "service_levels",
        "the_budget_counts_what_is_overdue",
        cases=cases.budgets,
        judge=_fields("bad", "budget_left"),
        after="latency_counts_from_the_event",
    ),
    claim("service_levels", "a_page_needs_both_windows", cases=cases.pages, judge=_fields("pages")),
    claim("post_mortem", "each_fault_is_found_once_with_its_seconds", cases=cases_timelines.faults, judge=_seconds),
    claim(
        "post_mortem",
        "a_symptom_is_not_a_cause",
        cases=cases_timelines.causes,
        judge=_kinds,
        after="each_fault_is_found_once_with_its_seconds",
    ),
    claim("post_mortem", "a_breaker_that_probes_is_one_incident", cases=cases_timelines.pauses, judge=_seconds),
    claim("post_mortem", "recovery_ends_when_the_lag_is_back", cases=cases_timelines.recoveries, judge=_recoveries),
]
