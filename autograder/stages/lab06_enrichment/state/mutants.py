"""Wrong versions of `enrich_from_state`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

NEWEST = "each_transaction_gets_the_newest_row_that_is_not_later"
WAITS = "transactions_wait_for_the_watermark"
ONCE = "each_transaction_is_answered_once_in_any_order_of_arrival"
DROPPED = "versions_that_nobody_can_ask_for_are_dropped"
KILLED = "killing_the_workers_loses_no_row"


reference("newest")

mutant("order_of_arrival", NEWEST, ("(each.at_ms, each.seq)", "each.at_ms"), task="enrich_from_state")

reference("enrich_from_state")

mutant(
    "answers_at_once",
    [NEWEST, WAITS, ONCE, DROPPED, KILLED],
    ("for each in payments.values() if each.at_ms <= watermark_ms)", "for each in payments.values())"),
)
mutant("answered_and_kept", [WAITS, ONCE, DROPPED, KILLED], ("payments.pop(payment_id)", "payments[payment_id]"))
mutant(
    "every_arrival",
    ONCE,
    ("payments.setdefault(each.id, each)", "payments[each.id, len(payments)] = each"),
    (
        "sorted((each.at_ms, each.id) for each in payments.values() if each.at_ms <= watermark_ms)",
        "sorted((each.at_ms, number) for number, each in payments.items() if each.at_ms <= watermark_ms)",
    ),
    ("payments = {each.id: each for each in state.waiting}", "payments = {(n.id, -1): n for n in state.waiting}"),
)
mutant(
    "a_version_for_each_seq",
    NEWEST,
    (
        "each.version not in versions.setdefault(each.key, [])",
        "all(each.version.seq != n.seq for n in versions.setdefault(each.key, []))",
    ),
)
mutant(
    "a_row_comes_once_at_a_time",
    NEWEST,
    (
        "each.version not in versions.setdefault(each.key, [])",
        "(each.version.at_ms, each.version.row) not in [(n.at_ms, n.row) for n in versions.setdefault(each.key, [])]",
    ),
)

reference("still_needed")

mutant(
    "forgets_the_row_in_force",
    [NEWEST, DROPPED, KILLED],
    ("[in_force, *later] if in_force and in_force.row is not None else later", "later"),
    task="enrich_from_state",
)
mutant(
    "an_empty_row_is_a_removal",
    DROPPED,
    ("in_force.row is not None", "in_force.row"),
    task="enrich_from_state",
)
mutant(
    "equal_rows_are_one_version",
    DROPPED,
    (
        "    return [in_force",
        "    if in_force and in_force.row is not None and len(later) > 1 and min(later).row == in_force.row:\n"
        "        later.remove(min(later))\n"
        "    return [in_force",
    ),
    task="enrich_from_state",
)
