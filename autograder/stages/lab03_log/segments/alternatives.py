"""Other correct solutions of recover_segment, SparseIndex, Segment, SegmentList; each must get full marks."""

import os
import struct
from collections import deque

from autograder.checks.mutant_markers import alternative
from streamlab.lab03_log.wire.batch_files import Stored
from streamlab.lab03_log.wire.batches import CorruptBatch, at_offset, crc_of, header_of


# Reads the whole file into memory, and replaces it by a new file if something has to be cut.
@alternative("whole_file_at_once")
def recover_segment(log, base_offset):
    data = log.read_bytes() if log.exists() else b""
    at, expected = 0, base_offset
    while True:
        header = header_of(data, at)
        if header is None or header.base_offset != expected:
            break
        batch = data[at : at + header.size_bytes]
        if len(batch) < header.size_bytes or crc_of(batch) != header.crc:
            break
        at, expected = at + len(batch), expected + header.records
    log.write_bytes(data[:at])
    return len(data) - at


# Two lists, searched from their end; each call opens the file again.
@alternative("two_lists")
class SparseIndex:
    def __init__(self, path, base_offset, index_bytes):
        self.path, self.step = path, index_bytes
        self.offsets, self.positions = [base_offset], [0]

    def load(self, log_bytes):
        data = self.path.read_bytes() if self.path.exists() else b""
        size = len(data)
        numbers = struct.unpack(f">{size // 4}I", data[: size // 4 * 4])
        offsets = [self.offsets[0] + number for number in numbers[::2]]
        in_order = all(numbers[at] > (numbers[at - 2] if at > 1 else 0) for at in range(len(numbers)))
        if size % 8 == 0 and in_order and (not numbers or numbers[-1] < log_bytes):
            self.offsets, self.positions = [self.offsets[0], *offsets], [0, *numbers[1::2]]
        else:
            size = 0
        with open(self.path, "ab") as file:
            file.truncate(size)
        return self.offsets[-1], self.positions[-1]

    def add(self, offset, position):
        if self.positions[-1] + self.step <= position:
            entry = struct.pack(">II", offset - self.offsets[0], position)
            size, file = self.path.stat().st_size, os.open(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                if os.write(file, entry) < len(entry):
                    raise OSError("the disk took a part of an entry")
            except OSError:
                os.ftruncate(file, size)
                raise
            finally:
                os.close(file)
            self.offsets.append(offset)
            self.positions.append(position)

    def find(self, offset):
        at = len(self.offsets) - 1
        while at > 0 and self.offsets[at] > offset:
            at -= 1
        return self.offsets[at], self.positions[at]


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


# A queue that is searched from its end; a new segment joins it before the first append.
@alternative("queue")
class SegmentList:
    def __init__(self, base_offsets, open_segment, segment_bytes):
        self.queue, self.open_segment, self.segment_bytes = deque(), open_segment, segment_bytes
        for base_offset in base_offsets:
            segment = open_segment(base_offset)
            if self.queue:
                last = self.queue[-1]
                last.close()
                if last.end_offset != segment.base_offset:
                    raise ValueError(f"something is wrong between {last.log} and {segment.log}")
            self.queue.append(segment)

    @property
    def all(self):
        return list(self.queue)

    def append(self, batch, records):
        old = self.queue[-1]
        rolls = old.size_bytes > 0 and old.size_bytes + len(batch) > self.segment_bytes
        if rolls:
            old.flush()
            self.queue.append(self.open_segment(old.end_offset))
        try:
            offset = self.queue[-1].append(batch, records)
        except Exception:
            if rolls:
                self.queue.pop().delete()
            raise
        if rolls:
            old.close()
        return offset

    def expire(self, now_ms, retention_ms):
        if retention_ms < 0:
            raise ValueError("a retention is 0 ms or more")
        gone = 0
        while len(self.queue) > 1 and now_ms - self.queue[0].newest_ms() > retention_ms:
            self.queue.popleft().delete()
            gone += 1
        return gone

    def since(self, offset):
        found = []
        for segment in reversed(self.queue):
            found.insert(0, segment)
            if segment.base_offset <= offset:
                break
        return found
