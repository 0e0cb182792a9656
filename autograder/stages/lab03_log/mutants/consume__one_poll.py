"""Reads once."""

KILLED_BY = [
    "without_a_crash_every_record_is_handled_once_in_order",
    "committing_before_loses_what_was_not_handled",
    "committing_after_repeats_what_was_not_committed",
]


def consume(log, offsets, handle, commit, max_bytes=4096):
    if commit not in ("before", "after"):
        raise ValueError(f'commit must be "before" or "after", got {commit!r}')
    position, handled = offsets.committed(), 0
    for batches in [log.read(position, max_bytes)]:
        records = [each for batch in batches for each in records_of(batch.data) if each.offset >= position]
        position = records[-1].offset + 1 if records else position
        if records and commit == "before":
            offsets.commit(position)
        for record in records:
            handle(record)
        if records and commit == "after":
            offsets.commit(position)
        handled += len(records)
    return handled
