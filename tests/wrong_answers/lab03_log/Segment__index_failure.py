# wrong: undoes the write only if the file fails, not if the index fails; breaks "append raises OSError if the file or the index does; then the file has its old length"
# caught by: a_full_disk_leaves_the_segment_unchanged
class Segment:
    def __init__(self, log: Path, base_offset: int, index: SparseIndex) -> None:
        self.log, self.base_offset, self._index = Path(log), base_offset, index
        self._file = FileIO(self.log, "a")
        self.end_offset, self.size_bytes = index.load(self.log.stat().st_size)
        with suppress(CorruptBatch):
            for stored in walk(self.log, self.end_offset, self.size_bytes):
                index.add(stored.header.base_offset, self.size_bytes)
                self.end_offset = stored.header.base_offset + stored.header.records
                self.size_bytes += stored.header.size_bytes
        self._newest = None

    def append(self, batch: bytes, records: int) -> int:
        header = header_of(batch)
        if header is None or header.size_bytes != len(batch) or header.records != records or crc_of(batch) != header.crc:
            raise CorruptBatch(f"{self.log}: not exactly one whole batch of {records} records")
        before = self.log.stat().st_size
        try:
            write_all(self._file, at_offset(batch, self.end_offset))
        except OSError:
            os.truncate(self.log, before)
            raise
        self._index.add(self.end_offset, self.size_bytes)
        first = self.end_offset
        self.end_offset += records
        self.size_bytes += len(batch)
        if self._newest is not None:
            self._newest = max(self._newest, header.max_timestamp_ms)
        return first

    def batches(self, offset: int) -> Iterator[Stored]:
        for stored in walk(self.log, *self._index.find(offset)):
            if stored.header.base_offset + stored.header.records > offset:
                yield stored

    def newest_ms(self) -> int:
        if self._newest is None:
            self._newest = max(stored.header.max_timestamp_ms for stored in walk(self.log, self.base_offset))
        return self._newest

    def flush(self) -> None:
        os.fsync(self._file.fileno())

    def close(self) -> None:
        if not self._file.closed:
            self.flush()
            self._file.close()

    def delete(self) -> None:
        self.close()
        self.log.unlink()
        self.log.with_suffix(".index").unlink(missing_ok=True)
