"""Wrong versions of Inbox, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

ORDER = "rows_leave_in_the_order_of_time_and_content"
EARLY = "a_row_waits_until_no_earlier_row_can_come"
PROMPT = "no_row_waits_longer_than_necessary"
REPEATS = "a_message_that_comes_again_is_ignored"
IMPOSSIBLE = "impossible_messages_raise_value_error"
DELIVERED = "any_order_of_delivery_gives_the_centralized_answer"
KILLED = "killing_an_instance_changes_no_row"

reference("Inbox")

mutant("rows_at_the_promise_leave", [EARLY, PROMPT, DELIVERED], ('.row["t"] < now_ms:', '.row["t"] <= now_ms:'))
mutant(
    "passes_on_at_once",
    [EARLY, PROMPT, REPEATS, ORDER, DELIVERED, KILLED],
    ('while self._kept and self._kept[0][-1].row["t"] < now_ms:', "while self._kept:"),
)
# Advances only when a row arrives: a sender without rows blocks all others.
mutant(
    "moves_with_rows_alone",
    [PROMPT, EARLY, REPEATS, ORDER, DELIVERED],
    ("ready, now_ms = [], self.until_ms", "ready, now_ms = [], self.until_ms if arrivals else START_MS"),
)
mutant(
    "rows_before_the_promise_are_taken",
    IMPOSSIBLE,
    ('if min([until_ms, *(arrival.row["t"] for arrival in arrivals)]) < promised_ms:', "if until_ms < promised_ms:"),
)

# Automatic mutants that no check can catch

survivor(
    "Inbox",
    "if number < self._next[sender]:",
    "if number != self._next[sender]:",
    reason="equivalent: higher numbers were rejected before",
)
