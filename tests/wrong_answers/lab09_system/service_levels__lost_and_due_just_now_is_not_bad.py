# wrong: lost and due exactly at now_ms is not bad; breaks "It is *bad* if it …, or is lost and due by now"
# caught by: the_budget_counts_what_is_overdue, a_page_needs_both_windows
def service_levels(
    expected: dict[Any, int],
    seen: list[tuple[Any, int]],
    now_ms: int,
    objective: Objective,
) -> Report:
    """Return the service levels at `now_ms`; no other time is after it."""
    if not expected:
        raise ValueError("nothing is expected")
    if not 0 < objective.percent < 100:
        raise ValueError("percent must be between 0 and 100")
    first: dict[Any, int] = {}
    for alert, at_ms in seen:
        first[alert] = min(at_ms, first.get(alert, at_ms))
    known = sum(alert in expected for alert, _ in seen)
    found = sum(alert in first for alert in expected)

    latency = {alert: first.get(alert, now_ms) - event_ms for alert, event_ms in expected.items()}
    by_size = sorted(latency.values())

    def percentile(percent: int) -> int:
        return by_size[-(-percent * len(by_size) // 100) - 1]

    bad = {alert for alert, ms in latency.items() if ms > objective.limit_ms}
    budget = 1 - Fraction(str(objective.percent)) / 100

    def burn(window_s: int) -> Fraction:
        due = [
            alert
            for alert, event_ms in expected.items()
            if now_ms - 1000 * window_s < event_ms + objective.limit_ms <= now_ms
        ]
        return Fraction(sum(alert in bad for alert in due), len(due)) / budget if due else Fraction(0)

    return Report(
        lost=len(expected) - found,
        twice=known - found,
        unknown=len(first) - found,
        p50_ms=percentile(50),
        p99_ms=percentile(99),
        bad=len(bad),
        budget_left=float(1 - len(bad) / (budget * len(expected))),
        pages=tuple(
            min(burn(long_s), burn(short_s)) > Fraction(str(factor))
            for long_s, short_s, factor in objective.windows
        ),
    )
