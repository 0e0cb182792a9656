# wrong: adds the new rows to the given list; breaks "waiting is what the call before returned" (an argument is changed)
# caught by: no_row_is_lost_or_duplicated_across_calls
def in_order(waiting, arrived, done_ms, watermark_ms):
    ready, later, late = [], [], []
    waiting.extend(arrived)
    for row in waiting:
        if row.time_ms <= done_ms and isinstance(row, Position):
            late.append(row)
            continue
        if row.time_ms < done_ms:
            row = row._replace(time_ms=done_ms)
        (ready if row.time_ms <= watermark_ms else later).append(row)
    ready.sort(key=lambda row: (row.time_ms, isinstance(row, Position), row.offset))
    return ready, later, late
