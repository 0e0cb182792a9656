# wrong: a record without a key is reported for the mover "None"; breaks "key or \"\""
# caught by: one_shard_reports_an_unreadable_record
def batch_of_shard(kept, records, watermark_ms, reports_fences):
    waiting, done_ms, state = kept or ([], -1, None)
    arrived, events = [], []
    for topic, key, value, time_ms, offset in records:
        try:
            arrived.append(read_record(topic, key, value, time_ms, offset))
        except ValueError:
            if topic != "fences" or reports_fences:
                events.append(Event("REFUSED", str(key), topic, time_ms))
    ready, waiting, _ = in_order(waiting, arrived, done_ms, watermark_ms)
    watch = Watch(state)
    for row in ready:
        events += watch.change(row) if isinstance(row, Change) else watch.move(row)
    return (waiting, watermark_ms, watch.state), events
