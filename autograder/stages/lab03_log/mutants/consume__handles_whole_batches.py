"""Handles the records of a batch that are below the position, too."""

KILLED_BY = [
    "without_a_crash_every_record_is_handled_once_in_order",
    "committing_before_loses_what_was_not_handled",
    "committing_after_repeats_what_was_not_committed",
]


def consume(log, offsets, handle, commit, max_bytes=4096):
    if commit not in ("before", "after"):
        raise ValueError(f'commit must be "before" or "after", got {commit!r}')
    position, handled = offsets.committed(), 0
    while batches := log.read(position, max_bytes):
        records = [each for batch in batches for each in records_of(batch.data)]
        position = records[-1].offset + 1
        if commit == "before":
            offsets.commit(position)
        for record in records:
            handle(record)
        if commit == "after":
            offsets.commit(position)
        handled += len(records)
    return handled
