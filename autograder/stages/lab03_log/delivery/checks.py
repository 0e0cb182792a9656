"""The checks of `consume` and `deduplicate`: which records are lost, repeated, or neither."""

from collections import Counter
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claims, same_counts, same_sequence, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab03_log.delivery import cases, oracle

# consume


def _call(case: Case) -> str:
    """Describe the call, its batches and the crash."""
    sizes = [len(pairs) for pairs in case["batches"]]
    room = "" if case["max_bytes"] is None else f", max_bytes={case['max_bytes']}"
    what = f'consume(…, commit="{case["commit"]}"{room})'
    where = f"on batches of {shown(sizes)} records, with committed offset {case['committed']}"
    crash, empty = case["crash_at"], [value for pairs in case["batches"] for _, value in pairs if not value]
    where += f" and values {', '.join(map(str, map(_in_bytes, empty)))}" if empty else ""
    where += " and more records that come while the first one is handled" if "arriving" in case else ""
    return f"{what} {where}" + (f" and a crash in call {crash[1]} of {crash[0]}" if crash else "")


def _same_deliveries(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the offsets that both runs handled, the commits and the return value."""
    expected = oracle.consumed(**case)
    call, first = _call(case), expected.first_run or 0
    if wrong := _not_consumed(case, rows):
        return wrong
    got, at = rows["handled"], rows["first_run"] if isinstance(rows["first_run"], int) else None
    if isinstance(got, list) and case["crash_at"]:
        before, after = (f"the offsets handled {when} the crash by {call}" for when in ("before", "after"))
        wrong = same_sequence(expected.handled[:first], got[:at], what=before)
        wrong = wrong or same_sequence(expected.handled[first:], got[at:], what=after)
    wrong = wrong or same_sequence(expected.handled, got, what=f"the offsets handled by {call}")
    wrong = wrong or same_sequence(expected.commits, rows["commits"], what=f"the commits of {call}")
    return wrong or same_value(expected.returned, rows["returned"], what=f"the return value of {call}")


def _not_consumed(case: Case, rows: Rows) -> Mismatch | None:
    """Return the mismatch for rows of a call that raised; in other rows, "returned" is a number."""
    if "handled" in rows:
        return None
    wrong = must_answer(_call(case), "the number of records", rows)
    return wrong or Mismatch(f"Expected records handled by {_call(case)}.")


def _in_bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


@check("consume", cases=cases.other_commits, invariant=14)
def any_other_commit_argument_raises_value_error(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError before anything is read; "before" and "after" are valid."""
    if case["commit"] in ("before", "after"):
        return _not_consumed(case, rows)
    wrong = must_reject(_call(case), rows)
    return wrong or same_value(0, rows.get("polls"), what=f"the number of reads of the log before {_call(case)} raises")


@check("consume", cases=cases.tweeted, invariant=9, chain="lab02_windows/hashtags")
def the_log_feeds_the_trends_of_your_lab_2(case: Case, rows: Rows) -> Mismatch | None:
    """Count the hashtags that the learner's Lab 2 finds in texts from a log (the chain from Lab 2)."""
    expected = Counter(word[1:] for text in case["texts"] for word in text.split() if word.startswith("#"))
    wrong, tags = must_answer("consume", "the number of records", rows), rows.get("tags")
    got = [[tag, count] for tag, count in tags.items()] if isinstance(tags, dict) else tags
    return wrong or same_counts(expected, got, what=f"hashtags of {shown(case['texts'])}")


# deduplicate


def _same_applied(case: Case, rows: Rows) -> Mismatch | None:
    parts = f" in {case['parts']} calls" if case["parts"] > 1 else ""
    deliveries = [tuple(each) for each in case["deliveries"]]
    call = f"deduplicate(iter({shown(deliveries, 300)}), {shown(_by_partition(case['next_offset']))}){parts}"
    expected, next_offsets = oracle.applied(case["deliveries"], case["next_offset"])
    wrong = must_answer(call, "a list", rows)
    wrong = wrong or same_sequence(expected, rows["applied"], what=f"the result of {call}")
    got = _by_partition(rows["next_offset"])
    return wrong or same_value(_by_partition(next_offsets), got, what=f"next_offset after {call}")


def _by_partition(offsets: Any) -> Any:
    """Return offsets by number of partition, which JSON turned into a text."""
    if not isinstance(offsets, dict):
        return offsets
    return {int(each) if each.isdecimal() else each: offset for each, offset in offsets.items()}


UNDISTURBED = "without_a_crash_every_record_is_handled_once_in_order"

CLAIMS = claims(
    ("consume", UNDISTURBED, cases.undisturbed, _same_deliveries, 9),
    ("consume", "commit_before_loses_unhandled_records_in_a_crash", cases.crashes_before, _same_deliveries, 9),
    ("consume", "commit_after_repeats_uncommitted_records_after_a_crash", cases.crashes_after, _same_deliveries, 9),
    ("deduplicate", "a_repeated_record_is_applied_once", cases.repeats, _same_applied, 10),
    ("deduplicate", "equal_values_at_two_offsets_are_two_records", cases.equal_values, _same_applied, 10),
    ("deduplicate", "partitions_are_deduplicated_independently", cases.partitions, _same_applied, 10),
    after={
        "commit_before_loses_unhandled_records_in_a_crash": UNDISTURBED,
        "commit_after_repeats_uncommitted_records_after_a_crash": UNDISTURBED,
        "partitions_are_deduplicated_independently": "a_repeated_record_is_applied_once",
    },
)
