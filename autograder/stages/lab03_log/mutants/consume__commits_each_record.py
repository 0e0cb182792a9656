"""Commits after every record in place of every poll."""

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
        records = [each for batch in batches for each in records_of(batch.data) if each.offset >= position]
        position = records[-1].offset + 1
        for record in records:
            if commit == "before":
                offsets.commit(record.offset + 1)
            handle(record)
            if commit == "after":
                offsets.commit(record.offset + 1)
        handled += len(records)
    return handled
