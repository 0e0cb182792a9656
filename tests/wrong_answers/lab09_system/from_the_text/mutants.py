"""Wrong answers to lab09_system that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference

reference("Desk")

# A repeat starts REPEAT_MS anew; breaks "of one that counted at most `REPEAT_MS` before changes nothing"
mutant(
    "repeat_prolongs_itself",
    "a_payment_sent_again_counts_once",
    (
        "            return []\n        counted[one]",
        "            counted[one] = row.time_ms\n            return []\n        counted[one]",
    ),
)

reference("GuardedStore")

# Dates an error when its call began; breaks "Exactly `rest_s` after the last error came, it is half-open"
mutant(
    "error_dated_at_start_of_call",
    "one_call_decides_after_the_rest",
    ("        try:\n", "        began_s = self._clock()\n        try:\n"),
    ("= self._clock() + self._rest_s", "= began_s + self._rest_s"),
)

reference("repair")

# AWAY with the same subject closes a window; breaks "UNDECIDED for it, … and nowhere SPENT or CLEARED"
mutant("any_other_kind_closes", "each_is_decided_once", ('in ("SPENT", "CLEARED")', '!= "UNDECIDED"'))

reference("service_levels")

# Lost and due exactly at now_ms is not bad; breaks "It is *bad* if it …, or is lost and due by now"
mutant(
    "lost_and_due_just_now_is_not_bad",
    ["the_budget_counts_what_is_overdue", "a_page_needs_both_windows"],
    ("first_ms.get(alert, now_ms + 1) > due_ms", "first_ms.get(alert, now_ms) > due_ms"),
)
