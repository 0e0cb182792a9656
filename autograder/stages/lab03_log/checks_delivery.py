"""What is claimed of `consume` and `deduplicate`: exactly which records are lost, repeated, or neither.

Keeps out: which they are (`oracle_delivery`).
"""

from collections import Counter

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.stages.lab02_windows.oracle_tweets import hashtags
from autograder.stages.lab02_windows.readings import no_result
from autograder.stages.lab03_log import cases_delivery, oracle_delivery
from autograder.stages.lab03_log.readings import rejected

# consume


def _call(case: Case) -> str:
    """What was consumed, and where it crashed."""
    sizes = [len(pairs) for pairs in case["batches"]]
    what = f'consume(…, commit="{case["commit"]}", max_bytes={case["max_bytes"]})'
    where = f"of batches of {shown(sizes)} records from offset {case['committed']}"
    crash = case["crash_at"]
    return f"{what} {where}" + (f" with a crash at {crash[0]} number {crash[1]}" if crash else "")


def _same_deliveries(case: Case, rows: Rows) -> Mismatch | None:
    """Offsets handled by the first run and by the second, what was committed, and what was returned."""
    told = oracle_delivery.consumed(**case)
    call, first = _call(case), told.first_run or 0
    if "handled" not in rows:  # "returned" is a number in rows that are right
        return no_result(call, "the number of records", rows)
    wrong = None
    got, at = rows["handled"], rows["first_run"] if isinstance(rows["first_run"], int) else None
    if isinstance(got, list) and case["crash_at"]:
        wrong = same_sequence(told.handled[:first], got[:at], what=f"handled before the crash of {call} to be")
        wrong = wrong or same_sequence(told.handled[first:], got[at:], what=f"handled after the crash of {call} to be")
    wrong = wrong or same_sequence(told.handled, got, what=f"records handled by {call} to be")
    wrong = wrong or same_sequence(told.commits, rows["commits"], what=f"commits of {call} to be")
    return wrong or same_value(told.returned, rows["returned"], what=f"the answer of {call}")


@check("consume", cases=cases_delivery.undisturbed, invariant=9)
def without_a_crash_every_record_is_handled_once_in_order(case: Case, rows: Rows) -> Mismatch | None:
    """From the committed offset to the end, one commit a poll."""
    return _same_deliveries(case, rows)


@check("consume", cases=cases_delivery.crashes_before, invariant=9)
def committing_before_loses_what_was_not_handled(case: Case, rows: Rows) -> Mismatch | None:
    """And nothing else; nothing comes twice."""
    return _same_deliveries(case, rows)


@check("consume", cases=cases_delivery.crashes_after, invariant=9)
def committing_after_repeats_what_was_not_committed(case: Case, rows: Rows) -> Mismatch | None:
    """And nothing else; nothing is lost."""
    return _same_deliveries(case, rows)


@check("consume", cases=cases_delivery.other_commits, invariant=14)
def another_time_to_commit_is_refused(case: Case, rows: Rows) -> Mismatch | None:
    """With ValueError, before anything is read."""
    return rejected(_call(case), rows)


@check("consume", cases=cases_delivery.tweeted, invariant=9, chain="lab02_windows/hashtags")
def trends_of_your_own_lab_2_are_fed_from_the_log(case: Case, rows: Rows) -> Mismatch | None:
    """The chain: the log holds texts, and what lab 2 finds in them is counted."""
    expected = Counter(tag for text in case["texts"] for tag in hashtags(text))
    wrong, tags = no_result("consume", "the number of records", rows), rows.get("tags")
    got = [[tag, count] for tag, count in tags.items()] if isinstance(tags, dict) else tags
    return wrong or same_counts(expected, got, what=f"hashtags of {shown(case['texts'])}")


# deduplicate


def _same_applied(case: Case, rows: Rows) -> Mismatch | None:
    parts = f" in {case['parts']} calls" if case["parts"] > 1 else ""
    call = f"deduplicate({shown(case['deliveries'], 300)}, {shown(case['next_offset'])}){parts}"
    expected, goes_on = oracle_delivery.applied(case["deliveries"], case["next_offset"])
    wrong = no_result(call, "a list", rows)
    wrong = wrong or same_sequence(expected, rows["applied"], what=f"{call} to be")
    return wrong or same_value(goes_on, rows["next_offset"], what=f"next_offset after {call}")


@check("deduplicate", cases=cases_delivery.repeats, invariant=10)
def what_comes_again_is_applied_once(case: Case, rows: Rows) -> Mismatch | None:
    """Also behind gaps, and where it was applied long ago."""
    return _same_applied(case, rows)


@check("deduplicate", cases=cases_delivery.equal_values, invariant=10)
def equal_values_at_two_offsets_are_two_records(case: Case, rows: Rows) -> Mismatch | None:
    """A record is known by its offset."""
    return _same_applied(case, rows)


@check("deduplicate", cases=cases_delivery.partitions, invariant=10)
def offsets_of_two_partitions_say_nothing_of_each_other(case: Case, rows: Rows) -> Mismatch | None:
    """Nor does the order in which they come; `next_offset` is kept for each, and lasts from call to call."""
    return _same_applied(case, rows)
