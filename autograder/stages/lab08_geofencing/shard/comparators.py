"""Reads the rows of `batch_of_shard`: events, waiting rows and the reached time of each batch."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, same_items, same_value
from autograder.checks.compare import shown

FORM = "((waiting, done_ms, watch_state), events)"


def batches_of(case: Case, rows: Rows) -> list[dict[str, Any]] | Mismatch:
    """Return the answers to all batches, or a mismatch if they have the wrong form."""
    found, count = rows.get("batches"), len(case["batches"])
    if isinstance(found, list) and len(found) == count and all(isinstance(each, dict) for each in found):
        return found
    got = rows.get("returned", found)
    return Mismatch(f"Expected batch_of_shard to return {FORM}; yours returns {shown(got)}.", FORM, got)


def first_wrong(case: Case, expected: list[dict[str, Any]], rows: Rows, *, with_kept: bool) -> Mismatch | None:
    """Return the first batch with other events, or which keeps something else if `with_kept`."""
    found = batches_of(case, rows)
    if isinstance(found, Mismatch):
        return found
    for number, (wanted, got) in enumerate(zip(expected, found, strict=True)):
        batch = place(case, number)
        wrong = same_items(wanted["events"], got.get("events"), what=f"the events of {batch}")
        if with_kept and wrong is None:
            wrong = same_items(wanted["waiting"], got.get("waiting"), what=f"the rows that wait after {batch}")
            wrong = wrong or same_value(wanted["done_ms"], got.get("done_ms"), what=f"done_ms after {batch}")
        if wrong:
            return wrong
        if with_kept and (changed := got.get("changed")) != []:
            return Mismatch(
                f"Expected the given lists to stay unchanged; {batch} changes {shown(changed)}.", [], changed
            )
    return None


def place(case: Case, number: int) -> str:
    """Return a batch as words, with its records if they are few: "batch 1 (watermark 50, …)"."""
    batch = case["batches"][number]
    records = batch["records"]
    text = shown(records) if len(records) < 5 else f"{len(records)} records"
    return f"batch {number + 1} (watermark {batch['watermark_ms']}, {text})"
