# wrong: handles records below the position again; breaks "skip the records below the position"
# caught by: without_a_crash_every_record_is_handled_once_in_order, commit_before_loses_unhandled_records_in_a_crash, commit_after_repeats_uncommitted_records_after_a_crash
class Offsets(Protocol):
    def committed(self) -> int: ...

    def commit(self, offset: int) -> None: ...


def consume(
    log: PartitionLog, offsets: Offsets, handle: Callable[[Record], None], commit: str, max_bytes: int = 4096
) -> int:
    if commit not in {"before", "after"}:
        raise ValueError(f"commit must be before or after, got {commit!r}")
    position, count = offsets.committed(), 0
    for batches in iter(lambda: log.read(position, max_bytes), []):
        due = [r for r in chain.from_iterable(records_of(b.data) for b in batches) ]
        position = batches[-1].base_offset + batches[-1].records
        if commit == "before":
            offsets.commit(position)
        for record in due:
            handle(record)
            count += 1
        if commit == "after":
            offsets.commit(position)
    return count
