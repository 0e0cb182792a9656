# %% [markdown]
# The same log, but each batch goes to the file in as many writes as it has records. It only serves as a
# baseline: it appends and closes.

# %% role="given"
import os
import struct
from io import FileIO
from pathlib import Path

from streamlab.lab03_log.wire.batches import CorruptBatch, at_offset, crc_of, header_of


# %% task="PartitionLog"
class PartitionLog:
    def __init__(self, directory: str | Path, segment_bytes: int = 1_048_576, index_bytes: int = 4096) -> None:
        self._folder, self._segment_bytes, self._index_bytes = Path(directory), segment_bytes, index_bytes
        self._folder.mkdir(parents=True, exist_ok=True)
        self.start_offset = self.end_offset = 0
        self._begin_segment()

    def append(self, batch: bytes, records: int) -> int:
        header = header_of(batch)
        whole = header is not None and header.size_bytes == len(batch) and header.crc == crc_of(batch)
        if not whole or header.records != records:
            raise CorruptBatch(f"{len(batch)} bytes are no batch of {records} records")
        if self._size and self._size + len(batch) > self._segment_bytes:
            self.close()
            self._begin_segment()
        offset = self.end_offset
        data, slice_bytes = memoryview(at_offset(batch, offset)), -(-len(batch) // records)
        for at in range(0, len(batch), slice_bytes):
            self._log.write(data[at : at + slice_bytes])
        if self._size - self._indexed >= self._index_bytes:
            self._index.write(struct.pack(">II", offset - self._base, self._size))
            self._indexed = self._size
        self._size += len(batch)
        self.end_offset += records
        return offset

    def close(self) -> None:
        os.fdatasync(self._log.fileno())
        self._log.close()
        self._index.close()

    def _begin_segment(self) -> None:
        self._base, self._size, self._indexed = self.end_offset, 0, 0
        path = self._folder / f"{self._base:020}"
        self._log, self._index = (FileIO(f"{path}.{kind}", "w") for kind in ("log", "index"))
