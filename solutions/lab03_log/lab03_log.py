"""Source of Lab 3: the partitioned log, with the reference solutions.

`./lab build` makes the student's notebook from it. Keeps out: judging (autograder/stages/lab03_log).
"""

# %% [markdown]
# # Lab 3 · The partitioned log
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | a message is gone once it is read; who was away has lost it | it stays in a log, to be read at any pace, and again |
# | one program reads a stream | a group of programs shares it, and takes over what a dead member had |
# | a crash is bad luck | you say beforehand whether it loses messages, repeats them, or neither |
#
# ```text
#  producers ──▶ partition_for ──▶ PartitionLog 0 ──▶ assign, Membership ──▶ consume ──▶ deduplicate
#                    tasks 6, 7     PartitionLog 1        tasks 8, 11         task 9       task 10
#                                   PartitionLog 2
#                                     tasks 1 to 5 ──▶ Kafka ──▶ kafka_counts ──▶ write_once ──▶ a table
#                                                                   task 12          task 13
# ```
#
# A **messaging system** brings events from those who have them to those who want them. If it is direct, as the socket
# of labs 1 and 2, both have to be there at the same time. A **broker** between them keeps messages meanwhile; a
# **log-based broker** keeps them after they were read, too (UBC CPSC 436C, Stream Processing 1, 2024). You write the
# heart of one, and clients made for Apache Kafka will talk to it. Then you use Kafka itself.
#
# {minutes} minutes. Nothing needs to be running: cells start a broker or ZooKeeper of their own, and end them.

# %% [markdown]
# ## 2 · The invariants
#
# These hold whatever happens. Code comments, checks and messages cite them by number.
#
# {invariants}
#
# ## 3 · Predict
#
# A partition holds six records, at offsets 0 to 5, in batches of two. Before you run anything, write down:
#
# 1. The last three bytes of its file are lost. Which records can still be read, and which offset does the next one get?
# 2. A consumer takes two records at a time; the machine dies while it handles record 3. It is started again. Which
#    records are handled twice, and which never, if it commits its offset before it handles two records? And after?
# 3. Six partitions belong to `ann` and `bob`, three each, and `cyn` joins. How many partitions have to move?
#
# You will see the answers in tasks 1, 9 and 8.

# %% role="given" name="setup"
import math
import os
import struct
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from io import FileIO
from itertools import chain, islice, pairwise, takewhile
from operator import attrgetter, itemgetter, ne
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from kazoo.client import KazooClient, NodeExistsError, NoNodeError
from pyspark.sql import DataFrame, functions as F
from streamlab import check, line_plot, one_line_errors, running, session, show_calls, stage, table, tweet_arrivals
from streamlab.spark.topic_playback import CLOSING, play_topic, run_job, topic_as_stream
from streamlab.wire.batch_files import Stored, sync_folder, walk, write_all
from streamlab.wire.batches import Batch, CorruptBatch, Header, OffsetOutOfRange, Record
from streamlab.wire.batches import at_offset, batch_of, crc_of, header_of, records_of

spark = session("lab03_log", kafka=True)

# %% [markdown]
# ## 4 · Tasks
#
# ### Tasks 1 and 2 · `recover_segment`, `SparseIndex`
#
# A **log** is written at its end only; the number of a record in it is its **offset**. A broker keeps the **batches**
# that producers send as they came, and writes only its own offset into the first eight bytes, which the checksum
# (CRC-32C) does not cover. The log is cut into **segments**, so that old records are deleted a file at a time:
#
# ```text
#  00000000000000000000.log   │ batch, offsets 0–4 │ batch, 5–9 │ batch, 10–11 │     closed: never written again
#  00000000000000000000.index │ (10, byte 4210) │                                   not every batch, every 4 KiB
#  00000000000000000012.log   │ batch, offsets 12–19 │ ba                             active; its end is torn
#
#  a batch:  base offset 8 bytes │ length 4 │ … │ CRC 4 │ how many, newest time … │ records     (header: 61 bytes)
# ```
#
# Given: `header_of(b)`, `crc_of(b)`, `at_offset(b, offset)`, `records_of(b)`; and `batch_of(pairs)` makes a batch `b`.
# To read a file, `for stored in walk(log, offset, position)` gives `stored.header`, `stored.where`, `stored.read()`.
#
# **Task 1.** A writer dies in the middle of a write, and its file ends with half a batch. A broker that appended there
# would make everything after it unreadable. So it first cuts the file (**recovery**, invariant 3).
#
# **Task 2.** A reader asks for offset 77,300. Nobody wants to read a gigabyte to find it, and an entry for each batch
# would cost too much memory. So the index is **sparse**: it leads close to the batch (invariant 4).

# %% task="recover_segment" todo="walk the file, compare each CRC, cut the file after the last whole batch"
def recover_segment(log: Path, base_offset: int) -> int:
    """Cut the file of a segment after its last whole batch, and return how many bytes were cut.

    A batch is whole if its header and all of its bytes are there, its CRC is right, and it begins at the next offset;
    the first one begins at `base_offset`. Everything from the first batch on that is not whole is cut.

    - No file: an empty one is made. Nothing is cut from it, nor from a file that is whole: 0.
    - A wrong bit in the middle: all batches after it go, too, since no offset may be missing.
    - A batch that is whole, but begins at another offset than the next: it goes, with all after it.
    """
    ### BEGIN SOLUTION
    log.touch()
    whole_bytes = 0
    with suppress(CorruptBatch):
        for stored in walk(log, base_offset):
            if crc_of(stored.read()) != stored.header.crc:
                break
            whole_bytes += stored.header.size_bytes
    cut_bytes = log.stat().st_size - whole_bytes
    os.truncate(log, whole_bytes)
    return cut_bytes
    ### END SOLUTION

# %% check="recover_segment"
# Notice: three bytes are lost, and a batch of two records with them (prediction 1).
with one_line_errors(), TemporaryDirectory() as folder:
    log, batch = Path(folder, f"{0:020}.log"), batch_of([(None, b"to"), (None, b"be")])
    log.write_bytes(b"".join(at_offset(batch, offset) for offset in (0, 2, 4)))
    os.truncate(log, log.stat().st_size - 3)
    print("cut:", recover_segment(log, base_offset=0), "bytes")
    print("left:", [record.offset for stored in walk(log, 0) for record in records_of(stored.read())])

check("recover_segment")

# %% task="SparseIndex" todo="entries in memory and in the file; keep none of the file's if they cannot be right"
class SparseIndex:
    """Where some batches of a segment begin: entries (offset, position), kept in memory and in the file `path`.

    load(log_bytes) -> (offset, position): take the entries of the file, and return the last one. If they cannot be
        right for a log of `log_bytes`, keep none and empty the file. The caller then adds the batches from there on.
    add(offset, position): a batch begins here. It gets an entry if `index_bytes` or more were written since the last
        entry, or since the begin. In the file an entry is two unsigned 32-bit numbers, most significant byte first:
        offset - base_offset, and position. OSError: neither the file nor the memory has changed.
    find(offset) -> (offset, position): the last entry at or before `offset`; (base_offset, 0) if there is none.

    - The first batch has no entry in the file: (base_offset, 0) stands for it, also as "the last entry" of none.
    - No file yet: an empty one is made.
    - Not right: bytes that are no whole entry; numbers that do not rise; a position at or after `log_bytes`.
    """

    def __init__(self, path: Path, base_offset: int, index_bytes: int) -> None:
        ### BEGIN SOLUTION
        self._path, self._base_offset, self._index_bytes = path, base_offset, index_bytes
        self._entries: list[tuple[int, int]] = []  # `load` comes first

    def load(self, log_bytes: int) -> tuple[int, int]:
        self._path.touch()
        data = self._path.read_bytes()
        whole = data[: len(data) // ENTRY.size * ENTRY.size]
        stored = [(self._base_offset + relative, position) for relative, position in ENTRY.iter_unpack(whole)]
        entries = [(self._base_offset, 0), *stored]
        rising = all(a < c and b < d for (a, b), (c, d) in pairwise(entries))
        if len(whole) < len(data) or not rising or entries[-1][1] >= log_bytes:
            os.truncate(self._path, 0)
            entries = entries[:1]
        self._entries = entries
        return entries[-1]

    def add(self, offset: int, position: int) -> None:
        if position - self._entries[-1][1] < self._index_bytes:
            return
        try:
            with FileIO(self._path, "a") as file:
                write_all(file, ENTRY.pack(offset - self._base_offset, position))
        except OSError:
            os.truncate(self._path, ENTRY.size * (len(self._entries) - 1))
            raise
        self._entries.append((offset, position))

    def find(self, offset: int) -> tuple[int, int]:
        return self._entries[max(0, bisect_right(self._entries, offset, key=itemgetter(0)) - 1)]


ENTRY = struct.Struct(">II")
        ### END SOLUTION

# %% check="SparseIndex"
# Notice: batches of 1,200 bytes; the index leads to at most four before the one that holds the offset.
with one_line_errors(), TemporaryDirectory() as folder:
    index = SparseIndex(Path(folder, f"{0:020}.index"), base_offset=0, index_bytes=4096)
    index.load(log_bytes=0)
    for number in range(100):
        index.add(offset=5 * number, position=1200 * number)
    show_calls(index.find, 0, 19, 20, 77, 499)

check("SparseIndex")

# %% [markdown]
# ### Tasks 3, 4 and 5 · `Segment`, `SegmentList`, `PartitionLog`
#
# **Task 3.** A producer that was told "written" forgets the message. So what is **acknowledged** has been handed to the
# operating system, and does not wait in a buffer of Python's: a kill -9 does not take it. What was **flushed**
# (`os.fdatasync`) survives a power cut, too. And a disk that is full takes half a batch before it says so; if that half
# stayed, the next batch would lie behind it where nobody finds it (invariant 2). `write_all(file, data)` is given.
#
# **Task 4.** A disk is finite. A log in one file could only be deleted as a whole, with its newest records. So the log
# **rolls**: a full segment is closed, and a new one begins. Its **retention** says how old the newest record of a
# segment may get before the file is deleted (invariants 1 and 5).
#
# **Task 5.** Put them together. The class has the methods that any client needs, and `streamlab.wire` speaks Kafka's
# protocol in front of it. It opens a log like this: recover the last segment, then open all of them. A read goes over
# the borders of segments, stops before a batch that is corrupt, and says where it lies if it is the first (3, 4, 5).
#
# Tasks 3 and 4 get what they are built of as an argument, and their checks give them test doubles. `PartitionLog` is
# checked with your own tasks 1 to 4, and the message says so if it is one of them that fails.
# Stuck? `from streamlab import hint`; `hint("Segment")` asks a question.

# %% task="Segment" todo="find the end when opened; append and undo; batches from an offset on; flush, close, delete"
class Segment:
    """A file of batches and its index. Attributes: log (the file), base_offset, end_offset, size_bytes.

    Segment(log, base_offset, index): opens the file, or makes it. The end is found from `index.load` on, and each
        batch on the way goes to `index.add`; it lies before the first batch that is not whole. Nothing is cut.
    append(batch, records) -> int: write the batch at `end_offset`, call `index.add`, and return its first offset.
    batches(offset) -> Iterator[Stored]: what `walk` gives, from the batch that holds `offset` on. It begins where
        `index.find` says.
    newest_ms() -> int: the newest timestamp of all batches. There is at least one.
    flush(): all that was appended is on the disk. close(): the same, and no more appends. delete(): remove both files.

    - Not a whole batch, another number of records, a wrong CRC: append raises CorruptBatch and writes nothing.
    - OSError, of the file or of the index: the file has the bytes that it had before, and the offset is still free.
    - close() after close() is fine.
    """

    def __init__(self, log: Path, base_offset: int, index: SparseIndex) -> None:
        ### BEGIN SOLUTION
        self.log, self.base_offset, self._index = log, base_offset, index
        self._file = FileIO(log, "a")  # no buffer: what it took, a kill -9 leaves
        self.end_offset, self.size_bytes = index.load(log.stat().st_size)
        with suppress(CorruptBatch):  # that is the end
            for stored in walk(log, self.end_offset, self.size_bytes):
                self._take(stored.header)

    def append(self, batch: bytes, records: int) -> int:
        header = header_of(batch)
        if header is None or (len(batch), records, crc_of(batch)) != (header.size_bytes, header.records, header.crc):
            raise CorruptBatch(f"expected one whole batch of {records} records, got {len(batch)} bytes with {header}")
        offset = self.end_offset
        try:
            write_all(self._file, at_offset(batch, offset))
            self._take(header)
        except OSError:
            self._file.truncate(self.size_bytes)
            raise
        return offset

    def batches(self, offset: int) -> Iterator[Stored]:
        for stored in walk(self.log, *self._index.find(offset)):
            if stored.header.base_offset + stored.header.records > offset:
                yield stored

    def newest_ms(self) -> int:
        return max(stored.header.max_timestamp_ms for stored in walk(self.log, self.base_offset))

    def flush(self) -> None:
        if not self._file.closed:
            os.fdatasync(self._file.fileno())

    def close(self) -> None:
        self.flush()
        self._file.close()

    def delete(self) -> None:
        self._file.close()
        for path in (self.log.with_suffix(".index"), self.log):  # a log without an index is fine, not the reverse
            path.unlink(missing_ok=True)

    def _take(self, header: Header) -> None:
        """One batch more lies at the end."""
        self._index.add(self.end_offset, self.size_bytes)
        self.size_bytes += header.size_bytes
        self.end_offset += header.records
        ### END SOLUTION

# %% check="Segment"
# Notice: what is no batch takes no offset, and offset 3 lies in the batch that begins at 2.
def opened(folder: str, base_offset: int) -> Segment:
    path = Path(folder, f"{base_offset:020}")
    index = SparseIndex(path.with_suffix(".index"), base_offset, index_bytes=4096)
    return Segment(path.with_suffix(".log"), base_offset, index)

with one_line_errors(), TemporaryDirectory() as folder, closing(opened(folder, 0)) as segment:
    to_be = batch_of([(None, b"to"), (None, b"be")], timestamps_ms=[1000, 2000])
    show_calls(segment.append, (to_be, 2), (to_be[:-1], 2), (to_be, 3), (to_be, 2))
    print("end:", segment.end_offset, "in", segment.size_bytes, "bytes; newest:", segment.newest_ms(), "ms")
    print("from offset 3 on:", [stored.header.base_offset for stored in segment.batches(3)])

check("Segment")

# %% task="SegmentList" todo="a new segment where the batch would not fit; the oldest go until one is young enough"
class SegmentList:
    """The segments of a log, oldest first, in the list `all`. The last one is active: batches are appended to it.

    SegmentList(base_offsets, open_segment, segment_bytes): `open_segment(base_offset)` gives the Segment that begins
        there. All but the last are closed. ValueError that names two files if one does not end where the next begins.
    append(batch, records) -> int: to the active segment; but if the batch would make it larger than `segment_bytes`,
        to a new one, and the old one is closed. The offset of the first record.
    expire(now_ms, retention_ms) -> int: delete the oldest segments as long as their newest record is from before
        now_ms - retention_ms, and return how many. ValueError for retention_ms below 0.
    since(offset) -> list[Segment]: the segments from the one that holds `offset` on.

    - An empty active segment takes any batch, even one that is larger than `segment_bytes`.
    - An append that fails with OSError or CorruptBatch leaves no new segment; the error passes through.
    - An old segment stays if an older one stays, and the active one always stays.
    """

    def __init__(
        self, base_offsets: Sequence[int], open_segment: Callable[[int], Segment], segment_bytes: int
    ) -> None:
        ### BEGIN SOLUTION
        self.all = [open_segment(base_offset) for base_offset in base_offsets]
        self._open, self._segment_bytes = open_segment, segment_bytes
        for older, later in pairwise(self.all):
            older.close()
            if older.end_offset != later.base_offset:
                raise ValueError(f"{older.log.name} ends at offset {older.end_offset}, and next is {later.log.name}")

    def append(self, batch: bytes, records: int) -> int:
        active = self.all[-1]
        if active.size_bytes == 0 or active.size_bytes + len(batch) <= self._segment_bytes:
            return active.append(batch, records)
        active.flush()  # nothing after it may be on the disk before it
        new = self._open(active.end_offset)
        try:
            offset = new.append(batch, records)
        except (OSError, CorruptBatch):
            new.delete()
            raise
        active.close()
        self.all.append(new)
        return offset

    def expire(self, now_ms: int, retention_ms: int) -> int:
        if retention_ms < 0:
            raise ValueError(f"retention_ms must be 0 or more, got {retention_ms}")
        old = list(takewhile(lambda segment: segment.newest_ms() < now_ms - retention_ms, self.all[:-1]))
        for segment in old:
            segment.delete()
        del self.all[: len(old)]
        return len(old)

    def since(self, offset: int) -> list[Segment]:
        return self.all[bisect_right(self.all, offset, key=attrgetter("base_offset")) - 1 :]
        ### END SOLUTION

# %% check="SegmentList"
# Notice: two batches fit into a segment; the newest record of the first segment is from 1,001 ms.
with one_line_errors(), TemporaryDirectory() as folder:
    segments = SegmentList([0], partial(opened, folder), segment_bytes=150)
    for when_ms in range(1000, 1005):
        segments.append(batch_of([(None, b"to be")], timestamps_ms=[when_ms]), records=1)
    print("begin at", [segment.base_offset for segment in segments.all])
    for now_ms in 2001, 2002:
        print("expired:", segments.expire(now_ms, retention_ms=1000), "segments")

check("SegmentList")

# %% task="PartitionLog" todo="your parts, put together: open and recover, append, read, retain, flush and close"
class PartitionLog:
    """The log of one partition, in a folder, which is made where it is missing; opening it calls `recover`.

    start_offset, end_offset: the lowest offset that can be read, and the next one to be given; 0 in a new log.
    append(batch, records) -> int: the offset of its first record. CorruptBatch, OSError: the log is as it was.
    flush(): all that was appended is on the disk. close(): the same, and no more; twice is fine.
    read(offset, max_bytes) -> list[Batch]: from the batch that holds `offset` on, over the borders of segments, whole
        batches, `max_bytes` together or a single larger one. OffsetOutOfRange below the start and above the end.
    recover() -> int: recover the last segment and open all of them; the number of bytes cut. ValueError: see task 4.
    retain(now_ms, retention_ms) -> int: expire old segments; how many.

    - At the end there is nothing yet to read: [].
    - A wrong CRC ends a read before that batch; if it is the first, CorruptBatch names its file and position.
    - ValueError for segment_bytes, index_bytes and max_bytes below 1, and for retention_ms below 0.
    - recover() of a log that is open and whole changes nothing. The index of a log that is gone goes, too.
    """

    def __init__(self, directory: str | Path, segment_bytes: int = 1_048_576, index_bytes: int = 4096) -> None:
        ### BEGIN SOLUTION
        if segment_bytes < 1 or index_bytes < 1:
            raise ValueError(f"segment_bytes and index_bytes must be 1 or more, got {segment_bytes}, {index_bytes}")
        self._folder, self._segment_bytes, self._index_bytes = Path(directory), segment_bytes, index_bytes
        self._folder.mkdir(parents=True, exist_ok=True)
        self._segments: SegmentList | None = None
        self.recover()

    start_offset = property(lambda self: self._segments.all[0].base_offset)
    end_offset = property(lambda self: self._segments.all[-1].end_offset)

    def append(self, batch: bytes, records: int) -> int:
        return self._segments.append(batch, records)

    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        if max_bytes < 1:
            raise ValueError(f"max_bytes must be 1 or more, got {max_bytes}")
        if not self.start_offset <= offset <= self.end_offset:
            raise OffsetOutOfRange(offset, self.start_offset, self.end_offset)
        batches: list[Batch] = []
        try:
            segments = self._segments.since(offset)
            for header, where, read in chain.from_iterable(segment.batches(offset) for segment in segments):
                max_bytes -= header.size_bytes
                if batches and max_bytes < 0:
                    break
                data = read()
                if crc_of(data) != header.crc:
                    raise CorruptBatch(f"{where}: its CRC is {crc_of(data):#010x}, the header says {header.crc:#010x}")
                batches.append(Batch(header.base_offset, header.records, data))
        except CorruptBatch:
            if not batches:
                raise
        return batches

    def recover(self) -> int:
        self.close()
        bases = sorted(int(path.stem) for path in self._folder.glob("[0-9]" * 20 + ".log")) or [0]
        cut_bytes = recover_segment(self._folder / f"{bases[-1]:020}.log", bases[-1])
        self._segments = SegmentList(bases, self._open, self._segment_bytes)
        for index in self._folder.glob("[0-9]" * 20 + ".index"):
            if not index.with_suffix(".log").exists():
                index.unlink()
        return cut_bytes

    def retain(self, now_ms: int, retention_ms: int) -> int:
        return self._segments.expire(now_ms, retention_ms)

    def flush(self) -> None:
        self._segments.all[-1].flush()

    def close(self) -> None:
        if self._segments:
            self._segments.all[-1].close()

    def _open(self, base_offset: int) -> Segment:
        log = self._folder / f"{base_offset:020}.log"
        segment = Segment(log, base_offset, SparseIndex(log.with_suffix(".index"), base_offset, self._index_bytes))
        sync_folder(self._folder)  # a new file is safe when its name is on the disk
        return segment
        ### END SOLUTION

# %% check="PartitionLog"
# Notice: what a promise costs. How far are the two apart where a batch is one record, and where it is 500?
def appended_per_s(records: int, synced: bool) -> float:
    """Records of 100 bytes a second, in batches of so many, for 0.3 s or 30 MB, in a folder beside this notebook."""
    batch, began, done = batch_of([(None, bytes(100))] * records), time.perf_counter(), 0
    with TemporaryDirectory(dir=".") as folder, closing(PartitionLog(folder, segment_bytes=1 << 30)) as log:
        while time.perf_counter() < began + 0.3 and done < 300_000:
            log.append(batch, records)
            if synced:
                log.flush()
            done += records
        return done / (time.perf_counter() - began)

sizes = (1, 5, 20, 100, 500)
rates = {
    "handed to the system": [(size, appended_per_s(size, synced=False)) for size in sizes],
    "and synced to the disk": [(size, appended_per_s(size, synced=True)) for size in sizes],
}
rows = [(size, *(line[at][1] for line in rates.values())) for at, size in enumerate(sizes)]
print(table(rows, ["records in a batch", *(f"{name} (records/s)" for name in rates)]))
synced = rates["and synced to the disk"]
said = f"One sync for 500 records in place of one for each: {synced[-1][1] / synced[0][1]:.0f} times the rate."
print(said)
line_plot(rates, "records in a batch", "records/s", "What a promise costs", said, log_x=True, log_y=True)

check("PartitionLog")

# %% [markdown]
# ### Tasks 6 and 7 · `partition_for`, `StickyPartitioner`
#
# One log is one file on one machine. To scale, a **topic** is cut into **partitions**, each a log of its own; order
# holds within a partition and nowhere else. So all that has to stay in order must come to the same partition, whoever
# sends it: its **key** decides.
#
# **The rule of task 6** (invariant 6). Kafka's clients take the hash murmur2 of the key's bytes, set its highest bit to
# 0 (in Java, the number could be negative) and take the remainder. All arithmetic is on unsigned 32-bit numbers, so
# each product is cut to 32 bits (`& 0xFFFFFFFF`); `^` is exclusive or:
#
# ```text
#  h = 0x9747b28c ^ length
#  for each whole 4 bytes, k least significant byte first:   k *= 0x5bd1e995;  k ^= k >> 24;  k *= 0x5bd1e995
#                                                            h *= 0x5bd1e995;  h ^= k
#  if 1 to 3 bytes are left, the same way round:             h ^= these;  h *= 0x5bd1e995
#  h ^= h >> 13;  h *= 0x5bd1e995;  h ^= h >> 15
# ```
#
# **The rule of task 7** (7). Records without a key may go anywhere. If each went elsewhere, every partition would get
# many small batches; so they **stick** to one partition until a batch is full, and then take turns.

# %% task="partition_for" todo="write murmur2(data) beside it, mask the sign bit, take the remainder"
def partition_for(key: bytes, partitions: int) -> int:
    """The partition of a key, as Kafka's own clients choose it. ValueError for fewer than 1 partition.

    Example: partition_for(b"Harvard", 4) -> 1
    """
    ### BEGIN SOLUTION
    if partitions < 1:
        raise ValueError(f"a topic has 1 partition or more, got {partitions}")
    return (murmur2(key) & 0x7FFFFFFF) % partitions


def murmur2(data: bytes) -> int:
    """The hash of Kafka's partitioner, an unsigned 32-bit number."""
    factor, bits, whole = 0x5BD1E995, 0xFFFFFFFF, len(data) // 4 * 4
    h = 0x9747B28C ^ len(data)
    for (k,) in struct.iter_unpack("<I", data[:whole]):
        k = k * factor & bits
        k = (k ^ k >> 24) * factor & bits
        h = h * factor & bits ^ k
    if rest := data[whole:]:
        h = (h ^ int.from_bytes(rest, "little")) * factor & bits
    h = (h ^ h >> 13) * factor & bits
    return h ^ h >> 15
    ### END SOLUTION

# %% check="partition_for"
# Notice: kafka-python, which you did not write, puts each key where you put it.
from kafka.partitioner.default import murmur2 as kafkas_murmur2

with one_line_errors():
    for key in ("Harvard", "MIT", "東京", ""):
        theirs = (kafkas_murmur2(key.encode()) & 0x7FFFFFFF) % 4
        print(f"{key!r:10} yours: {partition_for(key.encode(), 4)}, kafka-python's: {theirs}")

check("partition_for")

# %% task="StickyPartitioner" todo="stay until batch_bytes are together, then go where the fewest bytes are"
class StickyPartitioner:
    """Where records without a key go.

    partition(record_bytes: int) -> int: the same partition until at least `batch_bytes` went to it, then another.
    At any time the bytes of two partitions differ by less than batch_bytes and the largest record together.
    ValueError for partitions or batch_bytes below 1 and record_bytes below 0.
    Example: partitions=2, batch_bytes=100, records of 60 bytes -> 0, 0, 1, 1, 0, 0
    """

    def __init__(self, partitions: int, batch_bytes: int) -> None:
        ### BEGIN SOLUTION
        if partitions < 1 or batch_bytes < 1:
            raise ValueError(f"partitions and batch_bytes must be 1 or more, got {partitions} and {batch_bytes}")
        self._bytes = [0] * partitions
        self._batch_bytes, self._left, self._at = batch_bytes, batch_bytes, 0

    def partition(self, record_bytes: int) -> int:
        if record_bytes < 0:
            raise ValueError(f"record_bytes must be 0 or more, got {record_bytes}")
        if self._left <= 0:
            self._at, self._left = self._fewest_bytes(), self._batch_bytes
        self._bytes[self._at] += record_bytes
        self._left -= record_bytes
        return self._at

    def _fewest_bytes(self) -> int:
        """Of those with the fewest, the next one after the current."""
        in_turn = (*range(self._at + 1, len(self._bytes)), *range(self._at + 1))
        return min(in_turn, key=lambda partition: self._bytes[partition])
        ### END SOLUTION

# %% check="StickyPartitioner"
# Notice: one large record, and the others catch up before its partition gets more.
with one_line_errors():
    sticky = StickyPartitioner(partitions=3, batch_bytes=100)
    sizes = [60, 60, 400, 60, 60, 60, 60, 60, 60, 60, 60]
    print([sticky.partition(size) for size in sizes])

check("StickyPartitioner")

# %% [markdown]
# ### Tasks 8, 9 and 10 · `assign`, `consume`, `deduplicate`
#
# Several consumers share a topic as a **group**: each partition belongs to one member (**load balancing**). Two groups
# know nothing of each other, and each gets everything (**fan-out**). All that a group has to remember is, for each
# partition, the offset up to which it is done, and it is committed to a safe place.
#
# **The rule of task 8** (invariant 8). Each partition has one owner, loads differ by at most one, and no assignment
# with these two properties moves fewer partitions away from members that are still there. `previous` is what each had;
# names that are gone and partitions that no longer exist count for nothing; what two claim is the smaller name's.
#
# **The rule of task 9** (9). One poll after the other, from the committed offset to the end. A poll is one
# `log.read(position, max_bytes)`: whole batches, of which only the records from `position` on count. With
# `commit="before"` the offset behind the poll's last record is committed and then its records are handled; with
# `commit="after"` they are handled, all of them, in order, and then it is committed. If anything raises, it goes
# through, as a crash would.
#
# **The rule of task 10** (10). After a crash, records may come again. A record is known by its partition and offset;
# that two have the same value says nothing. (Two payments of 5 are two.) Offsets may have gaps.

# %% task="assign" todo="let everyone keep what fits the new loads, then give out what is free"
def assign(partitions: int, members: Sequence[str], previous: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """Each member's partitions of 0 … partitions-1, ascending; an empty list for who gets none, {} for no members.

    The order of `members` and of `previous` changes nothing. ValueError for partitions < 0 or a member twice.
    Example: assign(4, ["a", "b"], {"a": [0, 1, 2, 3]}) -> {"a": [0, 1], "b": [2, 3]}
    """
    ### BEGIN SOLUTION
    if partitions < 0 or len(set(members)) < len(members):
        raise ValueError(f"expected 0 partitions or more and each member once, got {partitions} and {list(members)}")
    if not members:
        return {}
    free, kept = set(range(partitions)), {}
    for name in sorted(members):
        kept[name] = sorted(free.intersection(previous.get(name, ())))
        free.difference_update(kept[name])
    least, one_more = divmod(partitions, len(members))
    most_first = sorted(kept, key=lambda name: -len(kept[name]))  # who has most may have the one more
    loads = {name: least + (rank < one_more) for rank, name in enumerate(most_first)}
    for name, load in loads.items():
        free.update(kept[name][load:])
    given = iter(sorted(free))
    for name, load in loads.items():
        kept[name] = sorted([*kept[name][:load], *islice(given, max(0, load - len(kept[name])))])
    return kept
    ### END SOLUTION

# %% check="assign"
# Notice: two of six move when cyn comes (prediction 3), and only what bob had when he goes.
with one_line_errors():
    owned = assign(6, ["ann", "bob"], {})
    for members in ["ann", "bob"], ["ann", "bob", "cyn"], ["ann", "cyn"]:
        owned = assign(6, members, owned)
        print(owned)

check("assign")

# %% task="consume" todo="poll by poll: read, keep the records from the position on, handle and commit"
class Offsets(Protocol):
    """Where a group keeps, for one partition, the offset of the first record that it is not done with."""

    def committed(self) -> int: ...

    def commit(self, offset: int) -> None: ...


def consume(
    log: PartitionLog, offsets: Offsets, handle: Callable[[Record], None], commit: str, max_bytes: int = 4096
) -> int:
    """Handle each record from the committed offset to the end of the log; returns how many.

    ValueError, before anything is read, for a `commit` that is neither "before" nor "after".
    """
    ### BEGIN SOLUTION
    if commit not in ("before", "after"):
        raise ValueError(f'commit must be "before" or "after", got {commit!r}')
    position, handled = offsets.committed(), 0
    while batches := log.read(position, max_bytes):
        records = [each for batch in batches for each in records_of(batch.data) if each.offset >= position]
        position = batches[-1].base_offset + batches[-1].records
        if commit == "before":
            offsets.commit(position)
        for record in records:
            handle(record)
        if commit == "after":
            offsets.commit(position)
        handled += len(records)
    return handled
    ### END SOLUTION

# %% check="consume"
# Notice: the machine dies while it handles record 3, and is started again (prediction 2).
from types import SimpleNamespace

def handled(dies_at: int, side: str) -> list[Record]:
    """What is handled of six records, in batches of two, by a machine that dies once, and what it kept outlives it."""
    done, kept, deaths = [], [0], iter([dies_at])
    def handle(record: Record) -> None:
        if record.offset == dies_at and next(deaths, None) is not None:
            raise SystemError("the machine dies")
        done.append(record)

    offsets = SimpleNamespace(committed=lambda: kept[-1], commit=kept.append)
    with TemporaryDirectory() as folder, closing(PartitionLog(folder)) as log:
        for _ in range(3):
            log.append(batch_of([(None, b"5"), (None, b"5")]), records=2)
        for _ in range(2):
            with suppress(SystemError):
                consume(log, offsets, handle, side, max_bytes=1)
    return done

with one_line_errors():
    for side in "before", "after":
        print(f"commit {side}: {[record.offset for record in handled(3, side)]}")

check("consume")

# %% task="deduplicate" todo="keep what is at or above the next offset of its partition, and move that on"
def deduplicate(
    deliveries: Iterable[tuple[int, Record]], next_offset: dict[int, int]
) -> list[tuple[int, Record]]:
    """Of (partition, record) pairs, those not applied yet, in the order in which they came.

    `next_offset` has, for each partition, the first offset that is not applied (none: 0); it is brought up to date.
    """
    ### BEGIN SOLUTION
    new = []
    for partition, record in deliveries:
        if record.offset >= next_offset.get(partition, 0):
            next_offset[partition] = record.offset + 1
            new.append((partition, record))
    return new
    ### END SOLUTION

# %% check="deduplicate"
# Notice: all six records are payments of 5. None is lost, and none is applied twice, wherever the machine dies.
with one_line_errors():
    rows = []
    for dies_at in range(6):
        before, after = (Counter(record.offset for record in handled(dies_at, side)) for side in ("before", "after"))
        lost, twice = [at for at in range(6) if not before[at]], [at for at in range(6) if after[at] > 1]
        new = deduplicate([(0, record) for record in handled(dies_at, "after")], {})
        rows.append((dies_at, str(lost), str(twice), str([record.offset for _, record in new])))
    print(table(rows, ["dies at", "before: lost", "after: twice", "after, and deduplicated"]))

check("deduplicate")

# %% [markdown]
# ### Task 11 · `Membership`
#
# Who is in the group? Kafka's first consumers asked **ZooKeeper**: a small tree of nodes, the same for all who look. An
# **ephemeral** node goes when the session that made it ends, and a session ends when nothing was heard of its client
# for its time-out. So a member that is killed is noticed without anyone looking after it. A **watch** tells once of a
# change, and then one looks again.
#
# ```text
#  /consumers/GROUP/ids/ann            ephemeral: ann is there          /consumers/GROUP/offsets/0   persistent: "1200"
#  /consumers/GROUP/ids/bob                                             /consumers/GROUP/offsets/1
# ```
#
# **The rule** (invariant 11). A member's node is its session's own. A request that was carried out may lose its answer;
# repeated, it finds a node, and if that belongs to this very session, all is well. A node of another session with the
# same name (its own, from before it was killed and started again) has to go first.
#
# Later the brokers took this over: one of them coordinates a group, and offsets are records in a topic. Since version 4
# Kafka has no ZooKeeper at all. Controllers keep the cluster's metadata in a log that they copy to each other
# (**KRaft**, Kafka's own version of the Raft protocol, [KIP-500](https://cwiki.apache.org/confluence/x/FDd4CQ)).

# %% task="Membership" todo="an ephemeral node for who is there, persistent ones for offsets, a watch for changes"
class Membership:
    """The member `me` of a group, on a ZooKeeper client that runs. ValueError for an empty name or one with "/".

    join(timeout_s=10.0): be a member; TimeoutError, with the node's path, if another session's node does not go.
    leave(): be none. members() -> list[str]: sorted. committed(partition) -> int: 0 where nothing was committed.
    on_change(told): `told(members)` at once, and after each change. commit(partition, offset): ValueError below 0.
    """

    def __init__(self, zk: KazooClient, group: str, me: str) -> None:
        ### BEGIN SOLUTION
        if any(not name or "/" in name for name in (group, me)):
            raise ValueError(f'group and member need names without "/", got {group!r} and {me!r}')
        self._zk, self._ids, self._offsets = zk, f"/consumers/{group}/ids", f"/consumers/{group}/offsets"
        self._node = f"{self._ids}/{me}"

    def join(self, timeout_s: float = 10.0) -> None:
        deadline = time.monotonic() + timeout_s
        while not self._is_mine():  # a create that is retried may find its own node
            with suppress(NodeExistsError):
                self._zk.create(self._node, ephemeral=True, makepath=True)
                return
            if not self._wait_for_change(deadline - time.monotonic()):
                raise TimeoutError(f"{self._node} still belongs to another session after {timeout_s:g} s")

    def leave(self) -> None:
        if self._is_mine():
            with suppress(NoNodeError):
                self._zk.delete(self._node)

    def members(self) -> list[str]:
        try:
            return sorted(self._zk.get_children(self._ids))
        except NoNodeError:
            return []

    def on_change(self, told: Callable[[list[str]], None]) -> None:
        def tell(names: list[str]) -> None:
            told(sorted(names))  # and returns None: False would end the watch

        self._zk.ensure_path(self._ids)
        self._zk.ChildrenWatch(self._ids, tell)

    def commit(self, partition: int, offset: int) -> None:
        if offset < 0:
            raise ValueError(f"an offset is 0 or more, got {offset}")
        node, value = f"{self._offsets}/{partition}", str(offset).encode("ascii")
        try:
            self._zk.set(node, value)
        except NoNodeError:
            self._zk.create(node, value, makepath=True)

    def committed(self, partition: int) -> int:
        try:
            return int(self._zk.get(f"{self._offsets}/{partition}")[0])
        except NoNodeError:
            return 0

    def _wait_for_change(self, at_most_s: float) -> bool:
        """Whether the node is gone, or changes in time."""
        changed = self._zk.handler.event_object()
        there = self._zk.exists(self._node, watch=lambda _: changed.set())
        return there is None or self._is_mine() or changed.wait(max(0.0, at_most_s))

    def _is_mine(self) -> bool:
        there = self._zk.exists(self._node)
        return there is not None and there.ephemeralOwner == self._zk.client_id[0]
        ### END SOLUTION

# %% check="Membership"
# Notice: bob does not leave; the end of his session is enough. What he committed stays.
def connected(zookeeper: Any) -> KazooClient:
    client = KazooClient(hosts=zookeeper.address, timeout=1.0)
    client.start()
    return client

with one_line_errors(), running("zookeeper") as zookeeper:
    clients = [connected(zookeeper) for _ in range(2)]
    ann, bob = (Membership(client, "readers", name) for client, name in zip(clients, ("ann", "bob"), strict=True))
    told = []
    ann.join(), ann.on_change(told.append)
    bob.join(), bob.commit(0, 1200)
    for client, names in (clients[1], ["ann", "bob"]), (clients[0], ["ann"]):
        deadline = time.monotonic() + 10
        while told[-1] != names and time.monotonic() < deadline:
            time.sleep(0.01)
        print("ann is told:", told[-1])
        if client is clients[0]:
            print("bob had come to offset", ann.committed(0), "in partition 0")
        client.stop()

check("Membership")

# %% [markdown]
# ### Tasks 12 to 15 · `kafka_counts`, `write_once`, `highest_rate`, `rate_limit`
#
# Now the real thing: **Apache Kafka**, a cluster of brokers whose logs are copied to each other. Here it is one broker.
# Structured Streaming reads from it. Before a batch begins, Spark writes down which offsets it will hold; after the
# batch, that it is done. A batch that was cut off between the two is done again, with the same number and records.
#
# **The rule of task 12** (invariants 12, 14). Counts by key and by window of the records' own time, with a watermark on
# it, as in task 10 of Lab 2. Keys become text; records without a key do not count. Only describe the query.
#
# **The rule of task 13** (13). `foreachBatch` calls you with the rows of each batch and its number, and with the *same*
# number again if the first try may not have ended. A batch is in the table once, or not at all; a try that dies leaves
# nothing to be read. Spark's readers pass over names that begin with a dot, and a folder is renamed at once, or not.
#
# **The rules of tasks 14 and 15** (14). How fast can it go? A rate is **stable** if messages do not wait longer and
# longer. In the search for the highest one, each try plays one rate, and the next depends on the mean delay:
#
# | delay, as a part of the batch interval | < 1 % | < 10 % | < 50 % | < 90 % | < 100 % | more |
# |---|---|---|---|---|---|---|
# | the rate then | × 50 | × 5 | × 1.75 | × 1.03 | accepted | ÷ 2 |
#
# Three things bound it: the **network** carries so many bytes a second, the **cores** so many seconds of work, the
# **framework** so many messages. A stable rate above the least is a `MeasuringError` (the clock, or lost messages).

# %% task="kafka_counts" todo="records with a key, watermark on their time, grouped by window and key as text"
def kafka_counts(events: DataFrame, window_s: int, watermark_s: int) -> DataFrame:
    """Describe the counts per key and tumbling window [start, end) of the records' timestamps.

    (key: binary, value: binary, topic, partition, offset, timestamp, timestampType), of Kafka's source
    -> (start: timestamp, end: timestamp, key: string, count: long). ValueError unless window_s > 0, watermark_s >= 0.
    """
    ### BEGIN SOLUTION
    if window_s <= 0 or watermark_s < 0:
        raise ValueError(f"expected window_s > 0 and watermark_s >= 0, got {window_s} and {watermark_s}")
    in_time = events.withWatermark("timestamp", f"{watermark_s} seconds")
    keyed = in_time.where("key IS NOT NULL").withColumn("key", F.col("key").cast("string"))
    counts = keyed.groupBy(F.window("timestamp", f"{window_s} seconds"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
    ### END SOLUTION

# %% check="kafka_counts"
# Notice: 9.999 s is in the first window and 10 s in the second; what has no key is in none.
records = [(b"a", b"", 1000), (b"a", b"", 9999), (None, b"", 5000), (b"a", b"", 10_000), (b"b", b"", 12_000)]
with one_line_errors(), running("kafka") as kafka:
    counts = play_topic(spark, kafka.address, records, lambda events: kafka_counts(events, 10, 60))
    for row in sorted(counts):
        print(f"{row.start.timestamp():4.0f} to {row.end.timestamp():.0f} s: {row.key} {row['count']}")

check("kafka_counts")

# %% task="write_once" todo="write the batch where nobody reads, then rename it to its place, once"
def write_once(batch: DataFrame, batch_id: int, table: str) -> None:
    """Add the rows of batch number `batch_id` to the parquet table `table`, unless they are there.

    `table` is a folder of this machine. ValueError for batch_id < 0.
    """
    ### BEGIN SOLUTION
    if batch_id < 0:
        raise ValueError(f"a batch has a number of 0 or more, got {batch_id}")
    done, trial = Path(table, f"batch={batch_id}"), Path(table, f".batch={batch_id}")
    if not done.exists():
        batch.write.mode("overwrite").parquet(str(trial))  # over what an earlier try has left
        trial.rename(done)
    ### END SOLUTION

# %% check="write_once"
# Notice: a job dies inside a batch, after it has written, and its broker is killed, too. Which sink counts right?
from streamlab.sources.topics import ANY_TIME, new_topic, send

def append(batch: DataFrame, batch_id: int, table: str) -> None:
    """The usual sink: each try adds its rows."""
    batch.write.mode("append").parquet(table)

with one_line_errors(), running("kafka") as kafka:
    topic = new_topic(kafka.address, settings=ANY_TIME)
    send(kafka.address, topic, [(b"key %d" % (at % 7), b"", 1000 * at) for at in range(600)] + [CLOSING])
    for sink in append, write_once:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for dies in True, False:
                counts = kafka_counts(topic_as_stream(spark, kafka.address, topic), window_s=60, watermark_s=60)
                run_job(counts, partial(sink, table=f"{folder}/table"), f"{folder}/checkpoint", dies)
                if dies:
                    kafka.kill(), kafka.start()
            counted = spark.read.parquet(f"{folder}/table").agg(F.sum("count")).first()[0]
            print(f"{sink.__name__}: {counted} records counted, and 600 were sent")

check("write_once")

# %% task="highest_rate" todo="play, look at the delay, choose the next rate; reject what cannot be"
class MeasuringError(ValueError):
    """A measured value that cannot be true."""


def highest_rate(
    run: Callable[[float], float],
    start_per_s: float,
    interval_s: float,
    limit_per_s: float = math.inf,
    most_runs: int = 60,
) -> float:
    """The first rate that is accepted; if none is in `most_runs`, the highest with a delay below the interval, or 0.

    `run(rate)` plays `rate` messages/s and returns their mean delay in seconds; infinity is a delay, too.
    MeasuringError: a delay that is negative or NaN; a delay below the interval at a rate above `limit_per_s`.
    ValueError unless start_per_s and interval_s are above 0 and most_runs is 1 or more.
    """
    ### BEGIN SOLUTION
    if not (start_per_s > 0 and interval_s > 0 and most_runs >= 1):
        came = f"{start_per_s}, {interval_s}, {most_runs}"
        raise ValueError(f"start_per_s, interval_s and most_runs must be positive, got {came}")
    rate, best = start_per_s, 0.0
    for _ in range(most_runs):
        delay_s = run(rate)
        if not delay_s >= 0:
            raise MeasuringError(f"a delay is 0 s or more, got {delay_s} s at {rate:g} messages/s")
        part = delay_s / interval_s
        if part < 1:
            if rate > limit_per_s:
                raise MeasuringError(f"{rate:g} messages/s were stable, and at most {limit_per_s:g} are possible")
            best = max(best, rate)
        if 0.9 <= part < 1:
            return rate
        rate *= next((factor for below, factor in FACTORS if part < below), 0.5)
    return best


FACTORS = ((0.01, 50), (0.1, 5), (0.5, 1.75), (0.9, 1.03))
    ### END SOLUTION

# %% check="highest_rate"
# Notice: it overshoots, comes back, and creeps up to a machine that can do 1,000 messages/s.
with one_line_errors():
    def run(rate: float) -> float:
        delay_s = rate / 1000 if rate <= 1000 else 10.0
        print(f"{rate:7.1f} messages/s: delay {delay_s:.4f} s")
        return delay_s

    print("highest:", highest_rate(run, start_per_s=15, interval_s=1))

check("highest_rate")

# %% task="rate_limit" todo="three bounds; the least, with its name"
class Limit(NamedTuple):
    """The highest rate that is possible, and what bounds it: "network", "cpu" or "framework"."""

    rate_per_s: float
    bound: str


def rate_limit(size_bytes: int, cpu_s: float, cores: int, bytes_per_s: float, framework_per_s: float) -> Limit:
    """The least of the three bounds, for messages of `size_bytes` that take `cpu_s` of one core each.

    Of equal bounds the first of network, cpu, framework. A message may cost no CPU, and then that bounds nothing.
    ValueError unless size_bytes and cores are 1 or more, cpu_s is 0 or more and the other two are above 0.
    Example: rate_limit(1000, 0.01, cores=8, bytes_per_s=1e6, framework_per_s=1e5) -> Limit(800.0, "cpu")
    """
    ### BEGIN SOLUTION
    if size_bytes < 1 or cores < 1 or not (cpu_s >= 0 and bytes_per_s > 0 and framework_per_s > 0):
        came = f"{size_bytes}, {cpu_s}, {cores}, {bytes_per_s}, {framework_per_s}"
        raise ValueError(f"expected size >= 1, cpu >= 0, cores >= 1, bytes_per_s > 0, framework_per_s > 0, got {came}")
    limits = [
        Limit(bytes_per_s / size_bytes, "network"),
        Limit(cores / cpu_s if cpu_s else math.inf, "cpu"),
        Limit(framework_per_s, "framework"),
    ]
    return min(limits, key=attrgetter("rate_per_s"))  # the first of equals
    ### END SOLUTION

# %% check="rate_limit"
# Notice: messages of 1 KB that cost more and more CPU. Where does the bound change?
from timeit import repeat

def stream(cpu_s: float) -> Callable[[float], float]:
    """Plays a rate for 0.1 s: each message is unpacked, and worked on until it has cost `cpu_s`."""
    def run(rate: float) -> float:
        began = time.perf_counter()
        for _ in range(math.ceil(rate * 0.1)):
            done_at = time.perf_counter() + cpu_s
            records_of(message)
            while time.perf_counter() < done_at:
                pass
        return time.perf_counter() - began
    return run

message, rows = batch_of([(b"key", bytes(1000))]), []
with one_line_errors():
    framework_per_s = 100 / min(repeat(partial(records_of, message), number=100, repeat=50))  # the fastest of 50 tries
    for cpu_s in 1e-6, 1e-5, 1e-4, 1e-3:
        limit = rate_limit(1000, cpu_s, 1, 1.25e9, framework_per_s)  # one core, a network of 10 Gbit/s
        rows.append((1e6 * cpu_s, highest_rate(stream(cpu_s), 100, 0.1, limit_per_s=1 / cpu_s), *limit))
    print(table(rows, ["CPU a message (µs)", "highest rate (1/s)", "limit (1/s)", "bound by"]))

check("rate_limit")

# %% [markdown]
# ## 5 · What the checks look at
#
# A check runs your functions on inputs of many kinds, and any way that keeps the rules will do. Your segments are torn
# and flipped at each byte of their last batch, the disk is full, the writer of your log is killed, and the bytes that a
# read takes from files are counted. ZooKeeper, Kafka and the deaths are real, and take their time. In a notebook a
# check is advice.
#
# **The throughput check** of `PartitionLog` is against the same log with one write per record, that is, in place of
# one `write`,
# `for at in range(0, len(batch), slice_bytes): file.write(batch[at : at + slice_bytes])` with `records` slices. Batches
# hold 500 records of 100 bytes, and {threshold of PartitionLog} times its rate earns all points.
#
# ## 6 · Checkpoint
#
# All fifteen checks pass. Tasks 5, 13 and 15 have shown what a promise costs, which of two sinks counts right, and
# where the bound of a rate changes. Two questions are left.
#
# 1. **Who can talk to your log?** `WireServer`, which is given, speaks Kafka's protocol in front of it. The same
#    program, kafka-python's producer and a group of two, runs against it and against Apache Kafka. It carries the
#    tweets of Lab 2. Notice the partitions.
# 2. **How fast is Spark?** Its highest rate over a socket, files and Kafka, each beside its limit, on two cores.

# %% role="show"
from streamlab.experiments.picture import draw_grid
from streamlab.experiments.recorded import recorded_grid
from streamlab.sources.topics import read_by_two
from streamlab.wire.server import WireServer

tweet_text = stage("lab02_windows").tweet_text  # from your own lab 2
texts = [text for _, line in tweet_arrivals("boston", 2000) if (text := tweet_text(line))]
tweets = [(f"author {number % 40}".encode(), text.encode(), 0) for number, text in enumerate(texts)]

def read_through(name: str, address: str) -> dict[int, list[Record]]:
    """The tweets of each partition, once they were sent to this broker and read by a group of two."""
    topic = new_topic(address, 4)
    owned, got = read_by_two(address, topic, lambda: send(address, topic, tweets), len(tweets))
    print(f"{name}: ann has partitions {owned[0]}, bob has {owned[1]}")
    return got

with one_line_errors(), running("kafka") as kafka, TemporaryDirectory() as folder:
    with WireServer(PartitionLog, Path(folder)) as own:
        yours = read_through("your log", own.address)
    kafkas, rows = read_through("Kafka", kafka.address), []
    for partition, records in yours.items():
        whole = [record.offset for record in records] == list(range(len(records)))
        rows.append((partition, len(records), str(whole), str(records == kafkas[partition])))
    print(table(rows, ["partition", "records", "no gap, no repeat", "the same in Kafka"]))
draw_grid(recorded_grid()).show()  # the second question

# %% [markdown]
# The grid is that of [Blamey, Hellander and Toor](https://arxiv.org/abs/1807.07724), who went up to 10 MB on a cluster,
# with a peer-to-peer framework beside Spark; you will build one in Lab 7. `./lab experiment integrations` measures your
# machine with your own two functions, in a quarter of an hour. For comparison: in 2014 three producers wrote 2,024,032
# records of 100 bytes a second to Kafka on three machines, each in three copies
# ([J. Kreps](https://engineering.linkedin.com/kafka/benchmarking-apache-kafka-2-million-writes-second-three-cheap-machines)).
#
# ## 7 · Break it
#
# Invariant 6 wants a key's partition to be a function of the key and of the number of partitions. The next cell breaks
# it twice: with Python's own `hash`, which differs from one process to the next so that nobody can choose keys that
# collide; and with a fifth partition, added while the topic is in use.
#
# **Predict.** Of 1,000 keys in four partitions, how many are somewhere else in another process, and how many after the
# fifth partition is there? A meter says "begins" before and "ends" after it: what does a consumer see?

# %% role="show"
import sys
from subprocess import check_output

keys = [b"meter %d" % number for number in range(1000)]
program = "print(*(hash(b'meter %d' % number) % 4 for number in range(1000)))"

def hashed(salt: str) -> list[int]:
    """Where `hash` puts the keys in a process of its own; each has a salt of its own."""
    printed = check_output([sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": salt})
    return [int(partition) for partition in printed.split()]

with one_line_errors():
    of_four, of_five = ([partition_for(key, partitions) for key in keys] for partitions in (4, 5))
    print("by hash(), in another process, elsewhere:", sum(map(ne, hashed("1"), hashed("2"))), "of 1,000 keys")
    print("by partition_for, with a fifth partition:", sum(map(ne, of_four, of_five)), "of 1,000 keys")
    partitions = [[] for _ in range(5)]
    for says, chosen in ("begins", of_four), ("ends", of_five):
        for key, partition in zip(keys, chosen, strict=True):
            partitions[partition].append((key, says))
    seen = [event for partition in reversed(partitions) for event in partition]  # a consumer takes the new one first
    wrong = sum(seen.index((key, "ends")) < seen.index((key, "begins")) for key in keys)
    print(f"{wrong} meters end before they begin, and each partition is in order")

# %% [markdown] written="choose_partitions"
# ## 8 · Questions, and the next labs
#
# **How you would have noticed in production:** by chance. No record is lost and no error is raised; some totals are
# wrong, for some keys, from some day on. So a topic gets more partitions than it needs on its first day, or a new
# topic is filled from the old one; and a consumer that needs order checks it: an event that ends what never began is
# counted and looked at.
#
# Lab 4 reads its workloads from this log. Two questions are graded by hand.
#
# **How many partitions, and which key?** (3 points) A city's 12,000 parking meters send a message when somebody begins
# to park and when somebody ends: 2,000 a second at the busiest hour, and twice as many in two years. One consumer
# handles 300 a second. On match days two messages in five come from the district around the stadium, one of sixty.
# Three teams read the topic, each for its own purpose. The two messages of one parking have to stay in order.
#
# 1. Which key do you choose, and which other one that comes to mind do you not choose, and why?
# 2. How many partitions? Show the sum, and say what the three teams and the two years have to do with it.
# 3. A colleague wants 5,000 partitions, "to be on the safe side". What is the price?

# %% [markdown] written="which_guarantee"
# **Which guarantee?** (3 points) Three systems read a log. For each: at most once, at least once or effectively once?
# Say on which side of the work its offset is committed, what its user sees after a crash, and what else has to be there
# for it to be true (the place where `next_offset` is kept, say).
#
# 1. A board in the lobby shows the load of each server, every second.
# 2. Each parking that ends is charged to a credit card, by a call to a bank.
# 3. A table of how many cars parked in each district in each hour is written by Spark.
