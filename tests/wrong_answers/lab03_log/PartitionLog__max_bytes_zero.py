# wrong: at end_offset returns [] before it looks at max_bytes; breaks "Raises ValueError if … max_bytes is below 1" (rejected before anything is done)
# caught by: invalid_sizes_and_retentions_raise_value_error
class PartitionLog:
    def __init__(self, directory: str | Path, segment_bytes: int = 1_048_576, index_bytes: int = 4096) -> None:
        if segment_bytes < 1 or index_bytes < 1:
            raise ValueError(f"expected sizes of at least 1, got {segment_bytes}, {index_bytes}")
        self._folder, self._segment_bytes, self._index_bytes = Path(directory), segment_bytes, index_bytes
        self._folder.mkdir(parents=True, exist_ok=True)
        self._segments, self._synced = None, set()
        self.recover()

    @property
    def start_offset(self) -> int:
        return self._segments.all[0].base_offset

    @property
    def end_offset(self) -> int:
        return self._segments.all[-1].end_offset

    def _path(self, base_offset: int, suffix: str) -> Path:
        return self._folder / f"{base_offset:020}{suffix}"

    def _open(self, base_offset: int) -> Segment:
        index = SparseIndex(self._path(base_offset, ".index"), base_offset, self._index_bytes)
        return Segment(self._path(base_offset, ".log"), base_offset, index)

    def append(self, batch: bytes, records: int) -> int:
        return self._segments.append(batch, records)

    def flush(self) -> None:
        for segment in self._segments.all[-1:]:
            segment.flush()
        names = {segment.log.name for segment in self._segments.all}
        if names - self._synced:
            sync_folder(self._folder)
            self._synced = names

    def close(self) -> None:
        if self._segments is None or self._closed:
            return
        self.flush()
        self._closed = True
        for segment in self._segments.all:
            segment.close()

    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        if offset == self.end_offset:
            return []
        if max_bytes < 1:
            raise ValueError(f"max_bytes must be 1 or more, got {max_bytes}")
        if not self.start_offset <= offset <= self.end_offset:
            raise OffsetOutOfRange(offset, self.start_offset, self.end_offset)
        found, left = [], max_bytes
        if offset == self.end_offset:
            return found
        try:
            for segment in self._segments.since(offset):
                for stored in segment.batches(offset):
                    if found and stored.header.size_bytes > left:
                        return found
                    data = stored.read()
                    if crc_of(data) != stored.header.crc:
                        raise CorruptBatch(f"{stored.where}: wrong CRC")
                    found.append(Batch(stored.header.base_offset, stored.header.records, data))
                    left -= stored.header.size_bytes
                    if left <= 0:
                        return found
        except CorruptBatch:
            if not found:
                raise
        return found

    def recover(self) -> int:
        self.close()
        for index in self._folder.glob("*.index"):
            if not index.with_suffix(".log").exists():
                index.unlink()
        bases = sorted(int(log.stem) for log in self._folder.glob("*.log")) or [0]
        cut = recover_segment(self._path(bases[-1], ".log"), bases[-1])
        self._segments = SegmentList(bases, self._open, self._segment_bytes)
        self._closed = False
        return cut

    def retain(self, now_ms: int, retention_ms: int) -> int:
        return self._segments.expire(now_ms, retention_ms)
