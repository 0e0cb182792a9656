"""Other correct solutions of recover_segment, SparseIndex, Segment, SegmentList; each must get full marks."""

import os
import struct
from collections import deque

from autograder.checks.mutant_markers import alternative
from streamlab.lab03_log.wire.batch_files import Stored
from streamlab.lab03_log.wire.batches import CorruptBatch, at_offset, crc_of, header_of


# File descriptors, pread and pwrite; the index gets the batch before the file, and a loop finds the batches.
@alternative("pread_and_pwrite")
class Segment:
    def __init__(self, log, base_offset, index):
        self.log, self.base_offset, self.index = log, base_offset, index
        self.number = os.open(log, os.O_RDWR | os.O_CREAT, 0o644)
        self.end_offset, self.size_bytes = index.load(os.fstat(self.number).st_size)
        try:
            for stored in self._walk(self.end_offset, self.size_bytes):
                index.add(self.end_offset, self.size_bytes)
                self.end_offset += stored.header.records
                self.size_bytes += stored.header.size_bytes
        except CorruptBatch:
            pass  # the segment ends here

    def _walk(self, offset, position):
        number = os.open(self.log, os.O_RDONLY)
        try:
            size = os.fstat(number).st_size
            while position < size:
                header = header_of(os.pread(number, 61, position))
                if not header or header.base_offset != offset or position + header.size_bytes > size:
                    raise CorruptBatch(f"{self.log} at byte {position}: a whole batch at {offset} is missing")
                data = os.pread(number, header.size_bytes, position)
                yield Stored(header, f"{self.log} at byte {position}", lambda data=data: data)
                offset, position = offset + header.records, position + header.size_bytes
        finally:
            os.close(number)

    def append(self, batch, records):
        header = header_of(batch)
        if not header or header.size_bytes != len(batch) or header.records != records:
            raise CorruptBatch(f"{len(batch)} bytes are no batch of {records} records")
        if crc_of(batch) != header.crc:
            raise CorruptBatch("the CRC does not fit")
        written = 0
        try:
            while written < len(batch):
                rest = at_offset(batch, self.end_offset)[written:]
                written += os.pwrite(self.number, rest, self.size_bytes + written)
            self.index.add(self.end_offset, self.size_bytes)
        except OSError:
            os.ftruncate(self.number, self.size_bytes)
            raise
        self.size_bytes += written
        self.end_offset += records
        return self.end_offset - records

    def batches(self, offset):
        if offset >= self.end_offset:
            return iter(())
        return (each for each in self._walk(*self.index.find(offset)) if self._end_of(each) > offset)

    def _end_of(self, stored):
        return stored.header.base_offset + stored.header.records

    def newest_ms(self):
        return sorted(each.header.max_timestamp_ms for each in self._walk(self.base_offset, 0))[-1]

    def flush(self):
        os.fsync(self.number)

    def close(self):
        if self.number is not None:
            os.fsync(self.number)
            os.close(self.number)
        self.number = None

    def delete(self):
        self.close()
        for path in self.log, self.log.with_suffix(".index"):
            if path.exists():
                os.remove(path)
