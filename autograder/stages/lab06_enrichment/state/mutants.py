"""Wrong versions of `enrich_from_state`, each with the checks that must catch it."""

from autograder.checks.marks import mutant

NEWEST = "each_transaction_gets_the_newest_row_that_is_not_later"
WAITS = "transactions_wait_for_the_watermark"
ONCE = "each_transaction_is_answered_once_in_any_order_of_arrival"
DROPPED = "versions_that_nobody_can_ask_for_are_dropped"
KILLED = "killing_the_workers_loses_no_row"

# The newest version of all, as a cache has it.
mutant(
    "newest_of_all",
    [NEWEST, KILLED],
    ("    found = newest(versions, at_ms)", "    found = newest(versions, math.inf)"),
    of="enrich_from_state",
)
mutant(
    "order_of_arrival",
    NEWEST,
    (
        "max((each for each in versions if each.at_ms <= at_ms), key=lambda each: (each.at_ms, each.seq), default=None)",
        "max((each for each in versions if each.at_ms <= at_ms), key=lambda each: each.at_ms, default=None)",
    ),
    of="enrich_from_state",
)
mutant(
    "answers_at_once",
    [NEWEST, WAITS, ONCE, DROPPED, KILLED],
    ("for each in payments.values() if each.at_ms <= watermark_ms)", "for each in payments.values())"),
    of="enrich_from_state",
)
mutant(
    "answered_and_kept",
    [WAITS, ONCE, DROPPED, KILLED],
    ("payments.pop(name_of)", "payments[name_of]"),
    of="enrich_from_state",
)
mutant(
    "every_arrival",
    ONCE,
    ("payments.setdefault(each.id, each)", "payments[each.id, len(payments)] = each"),
    (
        "ready = sorted((each.at_ms, each.id) for each in payments.values() if each.at_ms <= watermark_ms)",
        "ready = sorted((each.at_ms, name_of) for name_of, each in payments.items() if each.at_ms <= watermark_ms)",
    ),
    ("payments = {each.id: each for", "payments = {(each.id, -1): each for"),
    of="enrich_from_state",
)
mutant(
    "keeps_all",
    DROPPED,
    ("kept = {key: still_needed(each, watermark_ms) for key, each in versions.items()}", "kept = versions"),
    of="enrich_from_state",
)
mutant(
    "forgets_the_row_in_force",
    [NEWEST, DROPPED, KILLED],
    ("return [in_force, *later] if in_force and in_force.row is not None else later", "return later"),
    of="enrich_from_state",
)
mutant("keeps_removals", DROPPED, (" and in_force.row is not None", ""), of="enrich_from_state")
# The state names the rows, and an object of the worker holds them.
mutant(
    "rows_of_the_worker",
    [DROPPED, KILLED],
    (
        "elif each.version not in versions.setdefault(each.key, []):\n            versions[each.key].append(each.version)",
        "else:\n"
        "            named = each.version._replace(row=remembered(each.version.row))\n"
        "            versions.setdefault(each.key, []).append(named)",
    ),
    ("return found.row if found else None", "return rows_here().get(found.row) if found else None"),
    (
        "def row_at(",
        "def rows_here():\n"
        "    from streamlab.enrichment.in_workers import per_worker\n"
        "    return per_worker('rows', dict)\n\n\n"
        "def remembered(row):\n"
        "    if row is not None:\n"
        "        rows_here()['#' + row] = row\n"
        "    return None if row is None else '#' + row\n\n\n"
        "def row_at(",
    ),
    of="enrich_from_state",
)
