"""Another right solution of `batch_of_shard`; it must get full marks."""

from autograder.checks.mutant_markers import alternative


# Reports first, then reads; returns the events as plain tuples and what it keeps as a list.
@alternative("refuses_first")
def batch_of_shard(kept, records, watermark_ms, reports_fences):
    def read(record):
        try:
            return read_record(*record)
        except ValueError:
            return None

    rows = [(record, read(record)) for record in sorted(records, key=lambda record: record[4])]
    refused = [record for record, row in rows if row is None and (record[0] != "fences" or reports_fences)]
    events = [("REFUSED", "" if key is None else key, topic, time_ms) for topic, key, _, time_ms, _ in refused]
    if kept is None:
        kept = [[], -1, None]
    watch = Watch(kept[2])
    ready, waiting, _ = in_order(kept[0], [row for _, row in rows if row is not None], kept[1], watermark_ms)
    for row in ready:
        events.extend((watch.change if isinstance(row, Change) else watch.move)(row))
    return [waiting, watermark_ms, watch.state], events
