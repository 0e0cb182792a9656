"""Other correct solutions of `PartitionLog`; each must get full marks."""

import os
import struct
from itertools import pairwise
from pathlib import Path

from autograder.checks.mutant_markers import alternative
from streamlab.lab03_log.wire.batch_files import sync_folder
from streamlab.lab03_log.wire.batches import Batch, CorruptBatch, OffsetOutOfRange, at_offset, crc_of, header_of

PAIR = struct.Struct(">II")


# One class over file numbers, pread and pwrite, and an index that is searched in its file.
@alternative("file_numbers")
class PartitionLog:
    def __init__(self, directory, segment_bytes=1_048_576, index_bytes=4096):
        for value in (segment_bytes, index_bytes):
            if value < 1:
                raise ValueError(f"expected at least 1 byte, got {value}")
        self.directory = Path(directory)
        self.segment_bytes = segment_bytes
        self.index_bytes = index_bytes
        self.active = None  # (number of the log's file, of the index's)
        os.makedirs(self.directory, exist_ok=True)
        self.recover()

    @property
    def start_offset(self):
        return self.bases[0]

    @property
    def end_offset(self):
        return self._end

    def recover(self):
        self.close()
        found = sorted(path.stem for path in self.directory.iterdir() if path.suffix == ".log" and path.stem.isdigit())
        bases = [int(stem) for stem in found] or [0]
        for base, following in pairwise(bases):
            if self._repaired(base) != following:
                here, there = self._path(base, "log").name, self._path(following, "log").name
                raise ValueError(f"between {here} and {there} something is missing or too much")
        for path in self.directory.glob("*.index"):
            if not path.with_suffix(".log").exists():
                os.remove(path)
        self.bases = bases
        self._path(bases[-1], "log").touch()
        return self._open_active()

    def append(self, batch, records):
        header = header_of(batch)
        if header is None:
            raise CorruptBatch("expected a header, got none")
        if header.size_bytes != len(batch) or header.records != records or crc_of(batch) != header.crc:
            raise CorruptBatch(f"expected {records} records in {len(batch)} bytes, got {header}")
        if self._size > 0 and self._size + len(batch) > self.segment_bytes:
            self._append_to_new(batch, records)
        else:
            self._append_to_active(batch, records)
        return self._end - records

    def flush(self):
        if self.active:
            os.fdatasync(self.active[0])
            sync_folder(self.directory)

    def close(self):
        if self.active:
            for number in self.active:
                os.fdatasync(number)
                os.close(number)
            self.active = None

    def read(self, offset, max_bytes):
        if max_bytes < 1:
            raise ValueError(f"expected max_bytes of 1 or more, got {max_bytes}")
        if offset < self.start_offset or offset > self._end:
            raise OffsetOutOfRange(offset, self.start_offset, self._end)
        found = []
        while offset < self._end:
            base = max(each for each in self.bases if each <= offset)
            following = min((each for each in self.bases if each > offset), default=self._end)
            try:
                more = self._read_segment(base, offset, max_bytes, first=not found)
            except CorruptBatch:
                if found:
                    return found
                raise
            found += more
            max_bytes -= sum(len(batch.data) for batch in more)
            if not more or more[-1].base_offset + more[-1].records != following or max_bytes <= 0:
                return found
            offset = following
        return found

    def retain(self, now_ms, retention_ms):
        if retention_ms < 0:
            raise ValueError(f"expected retention_ms of 0 or more, got {retention_ms}")
        gone = 0
        for base in self.bases[:-1]:
            newest = max(header.max_timestamp_ms for _, header in self._headers(base, base, 0))
            if newest >= now_ms - retention_ms:
                break
            for kind in ("log", "index"):
                os.remove(self._path(base, kind))
            gone += 1
        self.bases = self.bases[gone:]
        return gone

    def _path(self, base, kind):
        return self.directory / f"{base:020d}.{kind}"

    def _headers(self, base, offset, position):
        number = os.open(self._path(base, "log"), os.O_RDONLY)
        try:
            size = os.fstat(number).st_size
            while position < size:
                header = header_of(os.pread(number, 61, position))
                if header is None or header.base_offset != offset or position + header.size_bytes > size:
                    return
                yield position, header
                position += header.size_bytes
                offset += header.records
        finally:
            os.close(number)

    def _pairs(self, base):
        """Return the index of a segment, or None if it cannot be right."""
        try:
            data = self._path(base, "index").read_bytes()
        except FileNotFoundError:
            return None
        if len(data) % 8:
            return None
        pairs = list(PAIR.iter_unpack(data))
        before = (0, 0)
        for pair in pairs:
            if pair[0] <= before[0] or pair[1] <= before[1] or pair[1] >= self._path(base, "log").stat().st_size:
                return None
            before = pair
        return pairs

    def _repaired(self, base):
        """Return the next offset after an older segment, whose index is rebuilt if necessary."""
        pairs, end, indexed, made = self._pairs(base), base, 0, []
        start = (0, 0) if not pairs else pairs[-1]
        end = base + start[0]
        for position, header in self._headers(base, base + start[0], start[1]):
            if pairs is None and position - indexed >= self.index_bytes:
                made.append(PAIR.pack(header.base_offset - base, position))
                indexed = position
            end = header.base_offset + header.records
        if pairs is None:
            self._path(base, "index").write_bytes(b"".join(made))
        return end

    def _open_active(self):
        base = self.bases[-1]
        log = os.open(self._path(base, "log"), os.O_RDWR | os.O_CREAT, 0o644)
        index = os.open(self._path(base, "index"), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        self.active, self._size, self._end, self._indexed, self._index_size = (log, index), 0, base, 0, 0
        for position, header in self._headers(base, base, 0):
            if crc_of(os.pread(log, header.size_bytes, position)) != header.crc:
                break
            self._count(header.base_offset, header.size_bytes, header.records)
        cut = os.fstat(log).st_size - self._size
        os.ftruncate(log, self._size)
        return cut

    def _count(self, offset, size_bytes, records):
        if self._size - self._indexed >= self.index_bytes:
            written = os.pwrite(self.active[1], PAIR.pack(offset - self.bases[-1], self._size), self._index_size)
            self._index_size += written
            self._indexed = self._size
        self._size += size_bytes
        self._end = offset + records

    def _append_to_active(self, batch, records):
        log, index = self.active
        before = self._size, self._end, self._indexed, self._index_size
        try:
            written = os.pwrite(log, at_offset(batch, self._end), self._size)
            if written < len(batch):
                rest = at_offset(batch, self._end)[written:]
                if os.pwrite(log, rest, self._size + written) < len(rest):
                    raise OSError("the disk took a part of a batch")
            self._count(self._end, len(batch), records)
        except OSError:
            self._size, self._end, self._indexed, self._index_size = before
            os.ftruncate(log, self._size)
            os.ftruncate(index, self._index_size)
            raise

    def _append_to_new(self, batch, records):
        before = self.active, self._size, self._indexed, self._index_size
        os.fdatasync(self.active[0])
        base = self._end
        self.bases = [*self.bases, base]
        try:
            self._open_active()
            self._append_to_active(batch, records)
        except OSError:
            if self.active is not before[0]:
                for number in self.active:
                    os.close(number)
            for kind in ("log", "index"):
                self._path(base, kind).unlink(missing_ok=True)
            self.bases, self._end = self.bases[:-1], base
            self.active, self._size, self._indexed, self._index_size = before
            raise
        for number in before[0]:
            os.close(number)

    def _read_segment(self, base, offset, max_bytes, first):
        pairs = [pair for pair in self._pairs(base) or [] if pair[0] <= offset - base]
        relative, near = max(pairs, default=(0, 0))
        walk = self._headers(base, base + relative, near)
        position, header = next((each for each in walk if each[1].base_offset + each[1].records > offset), (near, None))
        if header is None:
            raise CorruptBatch(f"{self._path(base, 'log')} after byte {near}: no batch that holds offset {offset}")
        number = os.open(self._path(base, "log"), os.O_RDONLY)
        try:
            wanted = max(max_bytes, header.size_bytes) if first else max_bytes
            data = os.pread(number, min(wanted, os.fstat(number).st_size - position), position)
        finally:
            os.close(number)
        found, at, expected = [], 0, header.base_offset
        while (header := header_of(data, at)) and at + header.size_bytes <= len(data):
            batch = data[at : at + header.size_bytes]
            if header.base_offset != expected or crc_of(batch) != header.crc:
                break
            found.append(Batch(expected, header.records, batch))
            at, expected = at + header.size_bytes, expected + header.records
        if first and not found:
            raise CorruptBatch(f"{self._path(base, 'log')} at byte {position}: the CRC does not fit")
        return found
