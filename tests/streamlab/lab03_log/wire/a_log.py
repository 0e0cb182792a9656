"""A small log for tests of the server: it keeps batches in one file and in memory."""

from pathlib import Path

from streamlab.lab03_log.wire.batches import Batch, CorruptBatch, OffsetOutOfRange, at_offset, crc_of, header_of


class SimpleLog:
    """The batches of one partition in `folder`/batches."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = open(folder / "batches", "a+b", buffering=0)  # noqa: SIM115
        self._batches: list[Batch] = []
        self.start_offset = self.end_offset = 0
        self._file.seek(0)
        self._load(self._file.read())

    def append(self, batch: bytes, records: int) -> int:
        header = header_of(batch)
        if header is None or header.size_bytes != len(batch) or header.crc != crc_of(batch):
            raise CorruptBatch(f"{len(batch)} bytes that are not a batch")
        offset = self.end_offset
        data = at_offset(batch, offset)
        self._file.write(data)
        self._add(Batch(offset, records, data))
        return offset

    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        if not self.start_offset <= offset <= self.end_offset:
            raise OffsetOutOfRange(offset, self.start_offset, self.end_offset)
        found: list[Batch] = []
        size_bytes = 0
        for batch in self._batches[self._first_with(offset) :]:
            size_bytes += len(batch.data)
            if found and size_bytes > max_bytes:
                break
            found.append(batch)
        return found

    def close(self) -> None:
        self._file.close()

    def _load(self, data: bytes) -> None:
        at = 0
        while header := header_of(data, at):
            batch = data[at : at + header.size_bytes]
            self._add(Batch(header.base_offset, header.records, batch))
            at += header.size_bytes

    def _add(self, batch: Batch) -> None:
        self._batches.append(batch)
        self.end_offset += batch.records

    def _first_with(self, offset: int) -> int:
        low, high = 0, len(self._batches)
        while low < high:
            middle = (low + high) // 2
            batch = self._batches[middle]
            low, high = (middle + 1, high) if batch.base_offset + batch.records <= offset else (low, middle)
        return low
