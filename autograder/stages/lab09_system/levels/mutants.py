"""Wrong versions of `service_levels` and `post_mortem`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

LOST = "a_lost_alert_counts_in_every_percentile"
COPIES = "copies_and_strangers_are_counted"
LATENCY = "latency_counts_from_the_event"
BUDGET = "the_budget_counts_what_is_overdue"
PAGES = "a_page_needs_both_windows"
FAULTS = "each_fault_is_found_once_with_its_seconds"
CAUSES = "a_symptom_is_not_a_cause"
PAUSES = "a_breaker_that_probes_is_one_incident"
RECOVERY = "recovery_ends_when_the_lag_is_back"

reference("service_levels")

mutant(
    "only_alerts_that_came",
    LOST,
    (
        "        first_ms.get(alert, now_ms) - event_ms for alert, event_ms in expected.items()\n    )",
        "        first_ms[alert] - event_ms for alert, event_ms in expected.items() if alert in first_ms\n    ) or [0]",
    ),
)
mutant(
    "the_last_copy_counts",
    [LATENCY, BUDGET],
    ("min(at_ms, first_ms.get(alert, at_ms))", "max(at_ms, first_ms.get(alert, at_ms))"),
)
mutant("all_copies_are_twice", COPIES, ("sum(copies[alert] - 1 for", "sum(copies[alert] for"))
mutant("lost_is_bad_at_once", BUDGET, ("first_ms.get(alert, now_ms + 1)", "first_ms.get(alert, math.inf)"))
mutant(
    "no_copy_at_0_ms",
    LATENCY,
    ("first_ms.get(alert, now_ms) - event_ms for", "(first_ms.get(alert) or now_ms) - event_ms for"),
)
mutant("what_is_not_due_counts", PAGES, ("< due_ms[alert] <= now_ms", "< due_ms[alert]"))
mutant("one_window_pages", PAGES, ("min(burn_rate(long_s)", "max(burn_rate(long_s)"))

reference("post_mortem")

mutant("a_pause_ends_it", PAUSES, ("- spans[-1][1] <= pause_s", "- spans[-1][1] <= 0"))
mutant(
    "a_lag_is_a_burst",
    [FAULTS, CAUSES],
    ("sum(now.offered) >= 3 * usual_offered and not is_skewed(now)", "sum(now.lag) > 2 * usual_lag"),
)
mutant("a_new_leader_is_a_dead_job", [FAULTS, CAUSES], (" and now.term <= before.term", ""))
mutant("a_lower_epoch_is_a_dead_job", CAUSES, ("now.epoch > before.epoch", "now.epoch != before.epoch"))
mutant("a_lower_term_is_a_new_leader", CAUSES, ("now.term > before.term", "now.term != before.term"))
mutant("back_when_the_fault_ends", RECOVERY, ("if sum(sample.lag) <= 2 * usual_lag", ""))
