"""The checks of `Desk`."""

from autograder.checks import Case, Mismatch, Rows, check, claim, same_value, throughput
from autograder.stages.lab09_system.desk import cases, comparators, oracle, workload


def _same_alerts(case: Case, rows: Rows) -> Mismatch | None:
    return comparators.first_wrong(case, oracle.alerts(case), rows, by_batch=False)


@check("Desk", cases=cases.closing, invariant=4)
def a_window_closes_with_the_watermark(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the alerts of each batch."""
    return comparators.first_wrong(case, oracle.alerts(case), rows, by_batch=True)


@check("Desk", cases=cases.resumed, invariant=4, after="spending_is_summed_in_sliding_windows")
def a_desk_resumes_from_its_state(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the alerts of desks that resume from the pickled state, and count the payments that it keeps."""
    expected, newest = oracle.alerts(case), oracle.newest_ids(case)
    wrong = comparators.first_wrong(case, expected, rows, by_batch=False)
    return wrong or comparators.left_behind(case, newest, rows)


@check(
    "Desk",
    cases=cases.own_sums,
    chain="lab04_subqueries/Aggregate",
    chain_inside=True,
    after="spending_is_summed_in_sliding_windows",
)
def your_own_lab_4_sums_the_windows(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that each payment reached the learner's own `Aggregate` once."""
    wrong = _same_alerts(case, rows)
    return wrong or _calls(case, rows, "pays", ["on_row"])


@check("Desk", cases=cases.own_watch, chain="lab08_geofencing/Watch", chain_inside=True)
def your_own_lab_8_watches_the_fences(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that each phone and shop reached the learner's own `Watch` once."""
    wrong = _same_alerts(case, rows)
    return wrong or _calls(case, rows, "phone", ["move"]) or _calls(case, rows, "shop", ["change"])


def _calls(case: Case, rows: Rows, kind: str, methods: list[str]) -> Mismatch | None:
    count = sum(row[0] == kind for batch in case["batches"] for row in batch["rows"])
    calls = rows.get("calls")
    own = f"your own {case['own']}"
    got = {name: calls.get(name) if isinstance(calls, dict) else None for name in methods}
    return same_value(dict.fromkeys(methods, count), got, what=f"the number of calls of {own}")


AFTER = {
    "spending_is_summed_in_sliding_windows": "a_window_closes_with_the_watermark",
    "a_missing_limit_leaves_the_window_undecided": "a_window_closes_with_the_watermark",
}

CLAIMS = [
    claim("Desk", name, cases=made, judge=_same_alerts, invariant=invariant, after=AFTER.get(name, ()))
    for name, made, invariant in (
        ("a_payment_away_from_its_phone_alarms", cases.away, None),
        ("a_stale_position_proves_nothing", cases.stale, None),
        ("rows_of_one_time_come_in_their_order", cases.ordered, 4),
        ("spending_is_summed_in_sliding_windows", cases.spending, None),
        ("a_missing_limit_leaves_the_window_undecided", cases.undecided, 7),
        ("a_payment_sent_again_counts_once", cases.again, None),
    )
]


@throughput("Desk", workload=workload.workload, unit="records")
def a_desk_does_not_look_at_everything_again(content: bytes, rows: Rows) -> Mismatch | None:
    """Judge one turn: the alerts are right."""
    return workload.same_alerts(content, rows)
