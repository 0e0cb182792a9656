"""Source of Lab 3: the partitioned log, with the reference solutions.

`./lab build` makes the student's notebook from it; autograder/stages/lab03_log judges it.
"""

# %% [markdown]
# # Lab 3 · The partitioned log
#
# {map}
#
# Your main part is the log, which gives the records of the sources, in order, to each consumer. LinkedIn's log, Apache
# Kafka, carried close to a billion messages a day ([Kreps et al., 2011][0]).
#
# [0]: https://www.microsoft.com/en-us/research/wp-content/uploads/2017/09/Kafka.pdf
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | a message is read once | a log keeps it |
# | one program reads a stream | a group shares it and takes over from a dead member |
# | nobody knows what a crash does | you decide: it loses messages, repeats them, or neither |
#
# ```text
#  producers ──▶ partition_for ──▶ PartitionLog 0 ──▶  assign  ──▶ consume ──▶ deduplicate
#                     task 3       PartitionLog 1      task 4      task 5        task 6
#                                  tasks 1 and 2
#  with Apache Kafka:   producers ──▶ Kafka ──▶ kafka_counts ──▶ write_once ──▶ a table
#                                                  task 7          task 8
# ```
#
# You write a **log-based broker**, then use Kafka itself. {minutes} minutes. Nothing needs to be running.

# %% [markdown]
# ## 2 · The invariants
#
# {invariants}
#
# ## 3 · Predict
#
# A partition holds six records, offsets 0 to 5, in batches of two.
#
# 1. Its file loses the last three bytes. Which records are left?
# 2. A consumer reads two records at a time, dies while it handles record 3, and starts again. Which records are lost or
#    repeated if it commits its offset before it handles them? And if after?
# 3. `ann` and `bob` own three of six partitions each, and `cyn` joins. How many must move?
#
# ## 4 · Tasks

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
from streamlab import check, line_plot, one_line_errors, running, session
from streamlab import show_calls, stage, table
from streamlab.lab03_log.replicas import Entry, NoLeader, NotEnoughReplicas
from streamlab.lab03_log.topic_playback import CLOSING, play_topic, run_job
from streamlab.lab03_log.topic_playback import topic_as_stream
from streamlab.lab03_log.wire.batch_files import Stored, sync_folder, walk, write_all
from streamlab.lab03_log.wire.batches import Batch, CorruptBatch, Header, Record
from streamlab.lab03_log.wire.batches import OffsetOutOfRange, at_offset, batch_of
from streamlab.lab03_log.wire.batches import crc_of, header_of, records_of

spark = session("lab03_log", kafka=True)

# %% [markdown]
# ### Task 1 · `Segment`
#
# **Why.** A **log** only grows at its end. The **offset** of a record is its number in the log. Records are in
# **batches**, each with a checksum (**CRC**), and batches in **segments**, one file each:
# ```text
#  00000000000000000000.log    │ batch, offsets 0–4 │ batch, 5–9 │ batch, 10–11 │   closed
#  00000000000000000000.index  │ (10, byte 4210) │           an entry every 4 KiB
#  00000000000000000012.log    │ batch, offsets 12–19 │ ba    active; the writer died here
# ```
#
# A producer forgets an **acknowledged** message, so the operating system must have it: kill -9 destroys a Python
# buffer. **Flushed** data survive a power cut, too. If a full disk keeps half a batch, nobody finds the next one
# (invariant 2).

# %% [markdown]
# **Tools**
#
# | given | what it holds |
# |---|---|
# | `Header` | `base_offset`, `size_bytes` (whole batch), `crc` (stored), `records` (how many), `max_timestamp_ms` |
# | `Stored`, in a file | `header`, `where` (file and position), `read()` (its bytes; call it before the loop goes on) |
# | functions | `header_of(b)` or None, `crc_of(b)`, `at_offset(b, base_offset)` (its CRC stays right) |
#
# `walk(file, offset, position)` yields the batches of a file as `Stored`. It raises CorruptBatch if anything but a
# whole batch at the next offset follows, and verifies no CRC.
# ```python
# file = FileIO(path, "a")     # unbuffered; one file.write may write only a part
# write_all(file, b"hello")    # given: the operating system has all bytes
# os.fdatasync(file.fileno())  # the disk has them
# file.truncate(3)             # keep three bytes
# ```
#
# A **sparse index** (given) leads a read close to its batch (4):

# %% role="given" name="SparseIndex"
ENTRY = struct.Struct(">II")  # offset - base_offset, position


class SparseIndex:
    """The index of a segment: entries (offset, position), in memory and in a file.

    load(log_bytes) -> (offset, position): read the file; return the last entry, if
        there is none (base_offset, 0)
    add(offset, position): a batch begins here; OSError changes nothing
    find(offset) -> (offset, position): the last entry at or before `offset`
    """

    def __init__(self, path: Path, base_offset: int, index_bytes: int) -> None:
        self._path, self._index_bytes = path, index_bytes
        self._base_offset = base_offset
        self._entries: list[tuple[int, int]] = []  # `load` comes first

    def load(self, log_bytes: int) -> tuple[int, int]:
        self._path.touch()
        data, entries = self._path.read_bytes(), [(self._base_offset, 0)]
        whole = data[: len(data) // ENTRY.size * ENTRY.size]
        for relative, position in ENTRY.iter_unpack(whole):
            entries.append((self._base_offset + relative, position))
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
        after = bisect_right(self._entries, offset, key=itemgetter(0))
        return self._entries[max(0, after - 1)]

# %% [markdown]
# **Rule**
#
# - Opening creates a missing file and cuts nothing. Walk from where `index.load` points to the end or to a
#   CorruptBatch; the segment ends there. Pass each batch to `index.add`.
# - `append` writes the batch with `end_offset` as base offset, then calls `index.add`.
# - `batches(offset)` walks from where `index.find(offset)` points, begins with the batch that holds `offset`, and
#   lets CorruptBatch through.
# - `newest_ms` looks at all batches (at least one), also at those that opening skipped.
# - `flush` calls os.fdatasync or os.fsync; `close` flushes first; `delete` closes, and removes file and .index.
#
# **Edge cases**
#
# - `append` raises CorruptBatch and writes nothing unless the bytes are exactly one batch with a right CRC and
#   `records` records.
# - If the file or the index raises OSError, so does `append`. File, `size_bytes` and `end_offset` are then as before.
# - A second `close()` does nothing. A closed segment can be read and deleted, also without an index file.
# - The checks use a test double as index: call only its methods.

# %% task="Segment" todo="find the end when opened; append or undo; yield batches; flush, close, delete"
class Segment:
    """A file of batches, with its index.

    Attributes: log (the file), base_offset, end_offset (of the next record), size_bytes
    append(batch, records) -> int: the batch's first offset
    batches(offset) -> Iterator[Stored]
    newest_ms() -> int: the newest timestamp
    flush(), close(), delete() -> None

    Example: in a new segment at 12, append(batch, 8) -> 12; then end_offset is 20
    """

    def __init__(self, log: Path, base_offset: int, index: SparseIndex) -> None:
        ### BEGIN SOLUTION
        self.log, self.base_offset, self._index = log, base_offset, index
        self._file = FileIO(log, "a")  # unbuffered: a kill -9 loses nothing that was written
        self.end_offset, self.size_bytes = index.load(log.stat().st_size)
        with suppress(CorruptBatch):  # the end of the segment
            for stored in walk(log, self.end_offset, self.size_bytes):
                self._count_batch(stored.header)

    def append(self, batch: bytes, records: int) -> int:
        header = header_of(batch)
        if header is None or (len(batch), records, crc_of(batch)) != (header.size_bytes, header.records, header.crc):
            raise CorruptBatch(f"expected one whole batch of {records} records, got {len(batch)} bytes with {header}")
        offset = self.end_offset
        try:
            write_all(self._file, at_offset(batch, offset))
            self._count_batch(header)
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
        for path in (self.log.with_suffix(".index"), self.log):  # an index must not outlive its log
            path.unlink(missing_ok=True)

    def _count_batch(self, header: Header) -> None:
        """Add the next batch to the index, the size and the end offset."""
        self._index.add(self.end_offset, self.size_bytes)
        self.size_bytes += header.size_bytes
        self.end_offset += header.records
        ### END SOLUTION

# %% check="Segment"
# Which calls fail, and which offset does the next batch get? Where is offset 3?
def opened(folder: str, base_offset: int) -> Segment:
    path = Path(folder, f"{base_offset:020}")
    index = SparseIndex(path.with_suffix(".index"), base_offset, index_bytes=4096)
    return Segment(path.with_suffix(".log"), base_offset, index)

with one_line_errors(), TemporaryDirectory() as folder:
    to_be = batch_of([(None, b"to"), (None, b"be")], timestamps_ms=[1000, 2000])
    with closing(opened(folder, 0)) as segment:
        show_calls(segment.append, (to_be, 2), (to_be[:-1], 2), (to_be, 3), (to_be, 2))
        print("end:", segment.end_offset, "in", segment.size_bytes, "bytes")
        print("newest:", segment.newest_ms(), "ms")
        found = [stored.header.base_offset for stored in segment.batches(3)]
        print("from offset 3 on:", found)

check("Segment")

# %% [markdown]
# ### Task 2 · `PartitionLog`
#
# **Why.** This class is what producers and consumers see of a broker. Two parts are given: **recovery** cuts off a
# half-written batch (invariant 3), and `SegmentList` **rolls** to a new segment when one is full, and deletes old ones
# (**retention**, 5).

# %% role="given" name="recover_segment"
def recover_segment(log: Path, base_offset: int) -> int:
    """Cut a segment's file after its last whole batch; return the number of bytes cut.

    A batch with a wrong CRC is not whole. Later batches are cut, too (invariant 1).
    """
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

# %% role="show"
# Compare with prediction 1: which records are left?
with TemporaryDirectory() as folder:
    log, batch = Path(folder, f"{0:020}.log"), batch_of([(None, b"to"), (None, b"be")])
    log.write_bytes(b"".join(at_offset(batch, offset) for offset in (0, 2, 4)))
    os.truncate(log, log.stat().st_size - 3)
    print("cut:", recover_segment(log, base_offset=0), "bytes")
    left = chain.from_iterable(records_of(stored.read()) for stored in walk(log, 0))
    print("left:", [record.offset for record in left])

# %% role="given" name="SegmentList"
class SegmentList:
    """The segments of a log in the list `all`, oldest first. The last one is active.

    append(batch, records) -> int: to the active segment or a new one
    expire(now_ms, retention_ms) -> int: delete old ones, return how many
    since(offset) -> list[Segment]: from the one that holds `offset` on
    """

    def __init__(
        self,
        base_offsets: Sequence[int],
        open_segment: Callable[[int], Segment],
        segment_bytes: int,
    ) -> None:
        self.all = [open_segment(base_offset) for base_offset in base_offsets]
        self._open, self._segment_bytes = open_segment, segment_bytes
        for older, later in pairwise(self.all):
            older.close()
            if older.end_offset != later.base_offset:
                raise ValueError(f"no segment begins at offset {older.end_offset}")

    def append(self, batch: bytes, records: int) -> int:
        active, most_bytes = self.all[-1], self._segment_bytes - len(batch)
        if active.size_bytes == 0 or active.size_bytes <= most_bytes:
            return active.append(batch, records)
        active.flush()  # its bytes must be on the disk before any later ones
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
        first_ms, closed = now_ms - retention_ms, self.all[:-1]
        old = list(takewhile(lambda segment: segment.newest_ms() < first_ms, closed))
        for segment in old:
            segment.delete()
        del self.all[: len(old)]
        return len(old)

    def since(self, offset: int) -> list[Segment]:
        after = bisect_right(self.all, offset, key=attrgetter("base_offset"))
        return self.all[after - 1 :]

# %% [markdown]
# **Tools.** [`Path.glob`](https://docs.python.org/3/library/pathlib.html#pathlib.Path.glob) finds files.
# `sync_folder(folder)` (given) puts the names of its files on the disk. `Batch` (given) has `base_offset`, `records`
# (how many), and `data` (all its bytes).
#
# **Rule.** Write opening, `recover`, `flush` and `close` first, then `append`, then `read`, then `retain`. Run the
# check from `append` on.
#
# - Opening creates the folder with its parents and calls `recover`, which closes an open log, recovers the last
#   segment, opens all, and deletes each .index without its .log.
# - The files of a segment are named by its base offset in 20 digits.
# - `append` works as `SegmentList.append`, `retain` as `SegmentList.expire`, with their errors.
# - `read` returns as many whole batches as fit into `max_bytes`, and at least one, across segments. It reads from
#   files at most `max_bytes` (or one larger batch) + `index_bytes` + the index's size + 8 KiB.
# - After `flush` the disk has all appended bytes and the names of new files. `close` flushes and leaves no file open.
#
# **Edge cases**
#
# - A new log begins and ends at 0. `read` at the end returns []; outside the log it raises
#   `OffsetOutOfRange(offset, start_offset, end_offset)`.
# - A wrong CRC, or a CorruptBatch of `walk`, ends a read before that batch. If it is the first batch of the read, raise
#   CorruptBatch with file and position (`where`) in the text.
# - A second `close()` does nothing.
# - `segment_bytes`, `index_bytes` or `max_bytes` below 1, or `retention_ms` below 0, raises ValueError.

# %% task="PartitionLog" todo="join the parts: open and recover, append, read, retain, flush and close"
class PartitionLog:
    """The log of one partition, in a folder.

    Attributes: start_offset (of the first record), end_offset (of the next record)
    append(batch, records) -> int: the batch's first offset
    read(offset, max_bytes) -> list[Batch]: from the batch that holds `offset` on
    recover() -> int: the number of bytes cut
    retain(now_ms, retention_ms) -> int: the number of segments deleted
    flush(), close() -> None

    Example: with batches of 5 records, read(7, max_bytes=1) -> [Batch(5, 5, …)]
    """

    def __init__(
        self,
        directory: str | Path,
        segment_bytes: int = 1_048_576,
        index_bytes: int = 4096,
    ) -> None:
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
        sync_folder(self._folder)  # a new file survives a power cut once its name is on the disk
        return segment
        ### END SOLUTION

# %% check="PartitionLog"
# What does durability cost, for batches of 1 and of 500 records?
def appended_per_s(records: int, synced: bool) -> float:
    """Append records of 100 bytes for 0.3 s or 30 MB."""
    batch, appended = batch_of([(None, bytes(100))] * records), 0
    with TemporaryDirectory(dir=".") as at, closing(PartitionLog(at, 1 << 30)) as log:
        start_s = time.perf_counter()
        while time.perf_counter() < start_s + 0.3 and appended < 300_000:
            log.append(batch, records)
            if synced:
                log.flush()
            appended += records
        return appended / (time.perf_counter() - start_s)

with one_line_errors():
    sizes = (1, 5, 20, 100, 500)
    written = [(size, appended_per_s(size, synced=False)) for size in sizes]
    synced = [(size, appended_per_s(size, synced=True)) for size in sizes]
    rates = {"written to the system": written, "synced to the disk": synced}
    rows = [(*one, other[1]) for one, other in zip(written, synced, strict=True)]
    print(table(rows, ["records in a batch", *(f"{name} (1/s)" for name in rates)]))
    times = f"{synced[-1][1] / synced[0][1]:.0f} times"
    result = f"One sync per 500 records has {times} the throughput of one per record."
    print(result)
    x, y, title = "records in a batch", "records/s", "What durability costs"
    line_plot(rates, x, y, title, result, log_x=True, log_y=True)

check("PartitionLog")

# %% [markdown]
# ### Task 3 · `partition_for`
#
# **Why.** A **topic** has several **partitions**, each a log. Order holds only inside a partition, so records that must
# stay in order share a **key**, and every client must find the same partition for it (invariant 6). A **hot key**,
# which many records share, causes **skew**.
#
# **Rule.** Compute the hash **murmur2** of the key, clear its highest bit, and take the remainder modulo `partitions`.
# After each `*=`, keep the lowest 32 bits (`& 0xFFFFFFFF`). Bytes become a number by `int.from_bytes(part, "little")`:
# ```text
# h = 0x9747b28c ^ (number of bytes)
# for every whole group of 4 bytes, as a number k:
#     k *= 0x5bd1e995;  k ^= k >> 24;  k *= 0x5bd1e995
#     h *= 0x5bd1e995;  h ^= k
# if 1 to 3 bytes are left, as one number r:
#     h ^= r;  h *= 0x5bd1e995
# h ^= h >> 13;  h *= 0x5bd1e995;  h ^= h >> 15
# ```
#
# **Edge cases.** An empty key has a hash, too.

# %% task="partition_for" todo="write murmur2(data) as a second function, clear the sign bit, take the remainder"
def partition_for(key: bytes, partitions: int) -> int:
    """Return the partition of a key, as Kafka's own clients choose it.

    Example: partition_for(b"Harvard", 4) -> 1
    """
    ### BEGIN SOLUTION
    return (murmur2(key) & 0x7FFFFFFF) % partitions


def murmur2(data: bytes) -> int:
    """Return the hash of Kafka's partitioner, an unsigned 32-bit number."""
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
# kafka-python has its own murmur2. Does it choose the same partitions?
from kafka.partitioner.default import murmur2 as kafkas_murmur2

with one_line_errors():
    for key in ("Harvard", "MIT", "東京", ""):
        theirs = (kafkas_murmur2(key.encode()) & 0x7FFFFFFF) % 4
        yours = partition_for(key.encode(), 4)
        print(f"{key!r:10} yours: {yours}, kafka-python's: {theirs}")

check("partition_for")

# %% [markdown]
# ### Task 4 · `assign`
#
# **Why.** Each partition belongs to one member of a **consumer group** (**load balancing**). Another group reads
# everything again (**fan-out**). When members come or go, the group **rebalances**, and new owners of partitions begin
# without their state (invariant 8).
#
# **Rule.** Each partition 0 … `partitions` - 1 gets one owner. Loads differ by at most one. Members that stay lose as
# few as possible of the partitions that they had in `previous`.
#
# **Edge cases**
#
# - Returned lists ascend, and may be empty. Without members, return {}.
# - In `previous`, ignore members that left and partitions that do not exist. If two members that stay claim a
#   partition, the first one alphabetically owned it.
# - The order of `members` and `previous` changes nothing: every member computes the result for itself.

# %% task="assign" todo="let each member keep what fits its new load, then distribute the free partitions"
def assign(
    partitions: int, members: Sequence[str], previous: Mapping[str, Sequence[int]]
) -> dict[str, list[int]]:
    """Return the partitions of each member after a rebalance.

    Raises ValueError if `partitions` is below 0 or a member is there twice.
    Example: assign(4, ["a", "b"], {"a": [0, 1, 2, 3]}) -> for example
      {"a": [0, 1], "b": [2, 3]}
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
    most_first = sorted(kept, key=lambda name: -len(kept[name]))  # these get the larger load
    loads = {name: least + (rank < one_more) for rank, name in enumerate(most_first)}
    for name, load in loads.items():
        free.update(kept[name][load:])
    unassigned = iter(sorted(free))
    for name, load in loads.items():
        kept[name] = sorted([*kept[name][:load], *islice(unassigned, max(0, load - len(kept[name])))])
    return kept
    ### END SOLUTION

# %% check="assign"
# Compare with prediction 3: how many partitions move when cyn joins, and bob leaves?
with one_line_errors():
    owned = assign(6, ["ann", "bob"], {})
    for members in ["ann", "bob"], ["ann", "bob", "cyn"], ["ann", "cyn"]:
        owned = assign(6, members, owned)
        print(owned)

check("assign")

# %% [markdown]
# ### Task 5 · `consume`
#
# **Why.** A group **commits** the offset up to which it is done. If it commits first, a crash before handling loses
# records (**at-most-once**). If it handles first, a crash repeats records (**at-least-once**, the usual choice;
# invariant 9).
#
# **Tools**
# ```python
# log.read(40, max_bytes=1)    # [Batch(base_offset=38, records=5, …)]: whole batches
# [each.offset for each in records_of(batch.data)]    # [38, 39, 40, 41, 42]
# ```
#
# **Rule.** Begin at the committed offset. A **poll** is one `log.read(position, max_bytes)`; poll until it returns [].
# Ignore records below the position. With `commit="before"`, commit, then handle the others in order; with `"after"`,
# handle, then commit. Commit once per poll: the offset after its last record, the next position.
#
# **Edge cases.** An error is the crash: let it through, and commit nothing after it. One check runs your own Lab 2.

# %% task="consume" todo="poll by poll: read, keep the records from the position on, handle and commit"
class Offsets(Protocol):
    """Where a group stores the offset of its next record."""

    def committed(self) -> int: ...

    def commit(self, offset: int) -> None: ...


def consume(
    log: PartitionLog,
    offsets: Offsets,
    handle: Callable[[Record], None],
    commit: str,
    max_bytes: int = 4096,
) -> int:
    """Handle the records up to the end of the log; return how many this call handled.

    Raises ValueError for any other `commit`, before anything is read.
    Example: of 3 records, offset 1 is committed -> 2
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
# Compare with prediction 2: which records does each way lose or repeat?
from streamlab.lab03_log.one_crash import handled

with one_line_errors():
    for commit in "before", "after":
        records = handled(PartitionLog, consume, dies_at=3, commit=commit)
        print(f"commit {commit}: {[record.offset for record in records]}")

check("consume")

# %% [markdown]
# ### Task 6 · `deduplicate`
#
# **Why.** With at-least-once a payment may arrive twice. If you drop repeats, handling is **idempotent**: each record
# takes effect once (**effectively once**, often called **exactly-once**). Two payments of 5 are two payments
# (invariant 10).
#
# **Rule.** `next_offset` has for each partition the first offset that is not applied yet (0 if missing). A record below
# it is a repeat. Any other is new: keep it, and set `next_offset`, in place, to the offset after it.
#
# **Edge cases.** Offsets may have gaps: do not wait for a missing one. `deliveries` may be an iterator.

# %% task="deduplicate" todo="keep the records at or above the next offset of their partition and advance that offset"
def deduplicate(
    deliveries: Iterable[tuple[int, Record]], next_offset: dict[int, int]
) -> list[tuple[int, Record]]:
    """Return the (partition, record) pairs that are not repeats, in order of arrival.

    Example: offsets 3, 4, 3 of partition 0, next_offset {0: 4} -> the pair with 4;
      then next_offset is {0: 5}
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
# Six payments of 5. Wherever the machine dies: is one lost, is one applied twice?
from streamlab.lab03_log.one_crash import handled

with one_line_errors():
    rows = []
    for dies_at in range(6):
        before = handled(PartitionLog, consume, dies_at, "before")
        after = handled(PartitionLog, consume, dies_at, "after")
        lost = sorted(set(range(6)) - {record.offset for record in before})
        times = Counter(record.offset for record in after)
        twice = [offset for offset in range(6) if times[offset] > 1]
        new = deduplicate([(0, record) for record in after], {})
        once = [record.offset for _, record in new]
        rows.append((dies_at, str(lost), str(twice), str(once)))
    names = ["dies at", "before: lost", "after: twice", "after, and deduplicated"]
    print(table(rows, names))

check("deduplicate")

# %% [markdown]
# ### Task 7 · `kafka_counts`
#
# **Why.** Spark reads **Apache Kafka** in batches. It keeps a **write-ahead log** of their offsets, and after a crash
# runs an unfinished batch again.
#
# **Tools.** [Kafka source](https://spark.apache.org/docs/4.0.0/streaming/structured-streaming-kafka-integration.html)
# ```python
# readings.withWatermark("at", "1 minute").groupBy(F.window("at", "5 minutes"), "id")
# F.col("window.start")            # F.window gives a column with start and end
# F.col("name").cast("string")     # bytes as text
# ```
#
# **Rule.** Count the records of each key, as text, in each tumbling window [start, end) of their `timestamp`, with a
# watermark of `watermark_s` (invariant 12).
#
# **Edge cases**
#
# - A record without a key (null) does not count. An empty key is a key. Equal records all count.
# - Only describe the query: start nothing.

# %% task="kafka_counts" todo="keep records with a key, set a watermark on their time, group by window and key as text"
def kafka_counts(events: DataFrame, window_s: int, watermark_s: int) -> DataFrame:
    """Return a streaming DataFrame: how many records each key has in each window.

    events: key (binary), value (binary), topic, partition, offset, timestamp,
      timestampType
    Result: start (timestamp), end (timestamp), key (string), count (long)
    """
    ### BEGIN SOLUTION
    on_time = events.withWatermark("timestamp", f"{watermark_s} seconds")
    keyed = on_time.where("key IS NOT NULL").withColumn("key", F.col("key").cast("string"))
    counts = keyed.groupBy(F.window("timestamp", f"{window_s} seconds"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
    ### END SOLUTION

# %% check="kafka_counts"
# (30 s.) Where are the records of 9.999 s and 10 s, and the one without a key?
times = [(b"a", 1000), (b"a", 9999), (None, 5000), (b"a", 10_000), (b"b", 12_000)]
records = [(key, b"", when_ms) for key, when_ms in times]
with one_line_errors(), running("kafka") as kafka:
    query = partial(kafka_counts, window_s=10, watermark_s=60)
    for row in sorted(play_topic(spark, kafka.address, records, query)):
        start_s, end_s = row.start.timestamp(), row.end.timestamp()
        print(f"{start_s:4.0f} to {end_s:.0f} s: {row.key} {row['count']}")

check("kafka_counts")

# %% [markdown]
# ### Task 8 · `write_once`
#
# **Why.** After a crash a sink may get a batch again, and a sink that appends counts it twice. Exactly-once needs an
# **idempotent** sink (invariant 13).
#
# **Tools.** [foreachBatch][1] passes each batch to your function:
# ```python
# readings.writeStream.foreachBatch(show).start()  # show(rows, 0), then show(rows, 1), …
# rows.write.mode("overwrite").parquet("report")   # a folder of files, one after another
# Path("report").rename("final")                   # at once or not at all
# ```
#
# **Rule.** Write the rows as parquet to the folder `table`, unless it has this batch already. If an attempt dies,
# readers get all rows of the batch or none, and the next attempt succeeds. Spark ignores names that begin with a dot.
#
# **Edge cases**
#
# - The folder may be missing. Batches come in any order. A table of empty batches can be read.
# - Keep equal rows. Readers may see a column `batch`, as a folder `batch=5` gives them.
#
# [1]: https://spark.apache.org/docs/4.0.0/api/python/reference/pyspark.ss/api/pyspark.sql.streaming.DataStreamWriter.foreachBatch.html

# %% task="write_once" todo="write the batch where no reader looks, then rename it to its place, once"
def write_once(batch: DataFrame, batch_id: int, table: str) -> None:
    """Write the rows of batch number `batch_id` to the parquet table, once.

    Example: write_once(rows, 5, "t") twice: the table "t" has the rows once
    """
    ### BEGIN SOLUTION
    final, temporary = Path(table, f"batch={batch_id}"), Path(table, f".batch={batch_id}")
    if not final.exists():
        batch.write.mode("overwrite").parquet(str(temporary))  # replaces what an earlier attempt left
        temporary.rename(final)
    ### END SOLUTION

# %% check="write_once"
# A job dies after it has written a batch, and so does its broker. Which sink counts
# right? (About half a minute.)
from streamlab.sources.topics import ANY_TIME, new_topic, send

def append(batch: DataFrame, batch_id: int, table: str) -> None:
    """Append, as the usual sink does."""
    batch.write.mode("append").parquet(table)

with one_line_errors(), running("kafka") as kafka:
    topic = new_topic(kafka.address, settings=ANY_TIME)
    records = [(b"key %d" % (at % 7), b"", 1000 * at) for at in range(600)]
    send(kafka.address, topic, [*records, CLOSING])
    for sink in append, write_once:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            write = partial(sink, table=f"{folder}/table")
            for dies in True, False:
                events = topic_as_stream(spark, kafka.address, topic)
                counts = kafka_counts(events, window_s=60, watermark_s=60)
                run_job(counts, write, f"{folder}/checkpoint", dies)
                if dies:
                    kafka.kill(), kafka.start()
            total = F.sum("count")
            counted = spark.read.parquet(f"{folder}/table").agg(total).first()[0]
            print(f"{sink.__name__}: {counted} records counted, and 600 were sent")

check("write_once")

# %% [markdown]
# ## 5 · What the checks look at
#
# The checks damage your segments, fill the disk, and kill your writer. Those with Kafka take half a minute.
#
# **The throughput check** of `PartitionLog` appends batches of 500 records of 100 bytes. {threshold of PartitionLog}
# times the rate of the **baseline**, which writes one record at a time, earns all points.
#
# ## 6 · Checkpoint
#
# With `WireServer` (given), Kafka's own clients can use your log: compare the partitions. The plot shows the highest
# rate of Spark with three sources, each next to its limit.

# %% role="show"
# About half a minute, with Kafka.
from streamlab.experiments.grid import recorded_grid
from streamlab.experiments.grid_plot import draw_grid
from streamlab.lab02_windows import tweet_texts
from streamlab.lab03_log.wire.server import WireServer
from streamlab.sources.topics import new_topic, read_by_two, send

texts = [tweet.text.encode() for tweet in tweet_texts()[:1500]]
tweets = [(b"author %d" % (at % 40), text, 0) for at, text in enumerate(texts)]

def read_through(name: str, address: str) -> dict[int, list[Record]]:
    """Send the tweets, read them with a group of two; return the records."""
    topic = new_topic(address, 4)
    sending = partial(send, address, topic, tweets)
    owned, got = read_by_two(address, topic, sending, len(tweets))
    print(f"{name}: ann has partitions {owned[0]}, bob has {owned[1]}")
    return got

with one_line_errors(), running("kafka") as kafka, TemporaryDirectory() as folder:
    with WireServer(PartitionLog, Path(folder)) as own:
        yours = read_through("your log", own.address)
    theirs, rows = read_through("Kafka", kafka.address), []
    for at, records in yours.items():
        whole = [record.offset for record in records] == list(range(len(records)))
        rows.append((at, len(records), str(whole), str(records == theirs[at])))
    print(table(rows, ["partition", "records", "no gap, no repeat", "same in Kafka"]))
draw_grid(recorded_grid()).show()

# %% [markdown]
# The plot follows [Blamey, Hellander and Toor](https://arxiv.org/abs/1807.07724).
#
# ## 7 · Break it
#
# The next cell breaks invariant 6 twice: by Python's `hash`, which has another salt in each process, and by a fifth
# partition of a topic in use.
#
# **Predict.** Of 1,000 keys, how many move each time? A meter sends "begins" before the fifth partition and "ends"
# after it: what does a consumer see?

# %% role="show"
import sys
from subprocess import check_output

keys = [b"meter %d" % number for number in range(1000)]
program = "print(*(hash(b'meter %d' % number) % 4 for number in range(1000)))"

def hashed(salt: str) -> list[int]:
    """Return the partitions that `hash` chooses in a new process."""
    salted = os.environ | {"PYTHONHASHSEED": salt}
    printed = check_output([sys.executable, "-c", program], env=salted)
    return [int(partition) for partition in printed.split()]

with one_line_errors():
    of_four, of_five = ([partition_for(key, n) for key in keys] for n in (4, 5))
    moved = sum(map(ne, hashed("1"), hashed("2")))
    print("hash() in another process moves", moved, "of 1,000 keys")
    print("a fifth partition moves", sum(map(ne, of_four, of_five)), "of 1,000 keys")
    partitions = [[] for _ in range(5)]
    for event, chosen in ("begins", of_four), ("ends", of_five):
        for key, partition in zip(keys, chosen, strict=True):
            partitions[partition].append((key, event))
    # A consumer takes the new partition first.
    seen = list(chain.from_iterable(reversed(partitions)))
    wrong = sum(seen.index((key, "ends")) < seen.index((key, "begins")) for key in keys)
    print(f"{wrong} meters end before they begin, though each partition is in order")

# %% [markdown] written="choose_partitions"
# ## 8 · Questions, and the next labs
#
# **How you would have noticed in production:** by chance, since no error is raised. Create more partitions than you
# need, and count the "ends" without a "begins" before them.
#
# Lab 4 divides queries among processes as a topic divides records.
#
# **How many partitions, and which key?** (3 points) Parking meters send a message when parking begins and another when
# it ends: 2,000 a second at the busiest hour, twice as many in two years. One consumer handles 300. On match days two
# in five come from one of sixty districts. Three teams read the topic independently. The two messages of one parking
# session must stay in order.
#
# 1. Which key do you choose? Which other key seems natural, and why is it wrong?
# 2. How many partitions? Show the calculation, with the teams and the years.
# 3. What would 5,000 partitions cost?

# %% [markdown] written="which_guarantee"
# **Which guarantee?** (3 points) At most once, at least once or effectively once? For each system, say whether it
# commits before or after the work, what its user sees after a crash, and what else is needed.
#
# 1. A display shows the load of each server, every second.
# 2. Each parking session is charged to a credit card, by a call to a bank.
# 3. Spark writes a table of parked cars per district and hour.

# %% [markdown]
# ## 9 · ★ Bonus
#
# No later task needs these tasks, and their points are outside the {points} of this lab. With them,
# `./lab experiment integrations` measures Spark's highest rates on your machine, in half an hour.
#
# > **The same log, split in two** (no points). In **[Apache Pulsar][1]** brokers only serve clients; **bookies** store
# > each segment on several machines. A disk fails, or the readers double: what moves, in Kafka and in Pulsar?
#
# [1]: https://pulsar.apache.org/docs/next/concepts-architecture-overview/
#
# ### ★ · `ReplicatedPartition`
#
# **Why.** A log on one machine is lost with it, so Kafka keeps each partition on several brokers. The **leader** takes
# all writes, and the **followers** fetch from it. The leader waits only for the **in-sync replicas** (ISR), those that
# keep up. Consumers read up to the **high watermark**, below which all of the ISR have every record (invariant 16).
# ```text
#            offset  0   1   2   3   4
#  broker 0, leader  a   b   c │ d   e
#  broker 1, in sync a   b   c │ d
#  broker 2, in sync a   b   c │
#  broker 3, lags    a   b     │ the high watermark is 3
# ```
#
# When the leader dies, an in-sync replica takes over (a **clean election**). If none is alive, any replica can lead,
# and more is lost (an **unclean election**). Each elected leader begins a new **epoch**, one higher, which is stored
# with each record: `Entry(epoch, value)`. Broker 0 leads first, in epoch 0; all are in sync at time 0.

# %% [markdown]
# **Rule**
#
# - `acks` says when a record counts as stored: 0, when it is sent; 1, when the leader has it; "all", when it is below
#   the high watermark. `acknowledged` lists the values of stored records, in the order in which they count.
# - `fetch` deletes the follower's entries from the first one that the leader's log does not have there, and copies at
#   most `at_most` next entries. A follower that then has the leader's whole log joins the ISR.
# - `shrink` removes the followers from the ISR that last fetched to the end more than `lag_ms` ago.
# - `elect` removes brokers that are not alive from the ISR. The lowest one left leads, and all left count as at the end
#   at `now_ms`. If none is left: with `unclean`, the lowest broker alive leads, alone in the ISR; otherwise nobody
#   leads, and the ISR stays. An election drops waiting acks "all": those records never count as stored.
# - The high watermark is the number of entries, from the first, that all of the ISR share. It stays while the ISR has
#   fewer than `min_isr` brokers; but a new leader with a shorter log lowers it to that log's length.
#
# **Edge cases**
#
# - Without a leader, `shrink` changes nothing, and a record with acks 0 is lost but counts as stored; `fetch`, and
#   `append` with acks 1 or "all", raise NoLeader.
# - With a leader, `append` with "all" raises NotEnoughReplicas if the ISR has fewer than `min_isr` brokers.
# - An error changes nothing.

# %% task="ReplicatedPartition" todo="append, let followers fetch, drop those that lag, elect a leader"
class ReplicatedPartition:
    """A partition on the brokers 0 … replicas-1.

    Attributes: logs (a list of Entry for each broker), leader (or None), isr (a set),
      high_watermark, acknowledged (a list of values)
    append(value, acks): a producer sends a record; acks is 0, 1 or "all"
    fetch(follower, now_ms, at_most): a follower copies from the leader
    shrink(now_ms), elect(alive, now_ms, unclean): remove those that lag; find a leader

    Raises NoLeader and NotEnoughReplicas.
    Example: two replicas, append("a", "all"), fetch(1, 5, 9) -> high_watermark 1
    """

    def __init__(self, replicas: int, min_isr: int, lag_ms: int) -> None:
        ### BEGIN SOLUTION
        self.logs: list[list[Entry]] = [[] for _ in range(replicas)]
        self.leader, self.isr, self.high_watermark = 0, set(range(replicas)), 0
        self.acknowledged: list[str] = []
        self._epoch, self._min_isr, self._lag_ms = 0, min_isr, lag_ms
        self._reached_end_ms = dict.fromkeys(self.isr, 0)
        self._waiting: list[tuple[int, str]] = []  # (offset, value) of records with acks="all"

    def append(self, value: str, acks: int | str) -> None:
        if acks and self.leader is None:
            raise NoLeader("nobody can write to a partition without a leader")
        if acks == "all" and len(self.isr) < self._min_isr:
            raise NotEnoughReplicas(f"{len(self.isr)} replicas are in sync, and min_isr is {self._min_isr}")
        if acks != "all":
            self.acknowledged.append(value)
        if self.leader is not None:
            log = self.logs[self.leader]
            if acks == "all":
                self._waiting.append((len(log), value))
            log.append(Entry(self._epoch, value))
            self._advance()

    def fetch(self, follower: int, now_ms: int, at_most: int) -> None:
        if self.leader is None:
            raise NoLeader("nobody can fetch from a partition without a leader")
        source, same = self.logs[self.leader], self._in_common(follower)
        self.logs[follower][same:] = source[same : same + at_most]
        if len(self.logs[follower]) == len(source):
            self._reached_end_ms[follower] = now_ms
            self.isr.add(follower)
        self._advance()

    def shrink(self, now_ms: int) -> None:
        if self.leader is not None:
            late = {each for each in self.isr if now_ms - self._reached_end_ms[each] > self._lag_ms}
            self.isr -= late - {self.leader}
            self._advance()

    def elect(self, alive: Sequence[int], now_ms: int, unclean: bool) -> None:
        self._waiting.clear()
        in_sync = self.isr.intersection(alive)
        self.leader = min(in_sync or (alive if unclean else ()), default=None)
        if self.leader is not None:
            self._epoch += 1
            self.isr = in_sync or {self.leader}
            self._reached_end_ms.update(dict.fromkeys(self.isr, now_ms))
            self.high_watermark = min(self.high_watermark, len(self.logs[self.leader]))
            self._advance()

    def _in_common(self, broker: int) -> int:
        """Return how many entries, from the first, a broker's log has in common with the leader's."""
        pairs = zip(self.logs[broker], self.logs[self.leader], strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def _advance(self) -> None:
        """Raise the high watermark, and acknowledge what is below it."""
        if len(self.isr) >= self._min_isr:
            self.high_watermark = min(map(self._in_common, self.isr))
        while self._waiting and self._waiting[0][0] < self.high_watermark:
            self.acknowledged.append(self._waiting.pop(0)[1])
        ### END SOLUTION

# %% check="ReplicatedPartition"
# Broker 2 lags, broker 1 misses one record, and the leader dies: what is lost?
from streamlab.lab03_log.experiments.acks import acks_table, draw_acks, recorded_acks

def before_the_death(acks: int | str) -> ReplicatedPartition:
    partition = ReplicatedPartition(replicas=3, min_isr=2, lag_ms=1000)
    partition.append("a", acks), partition.append("b", acks)
    partition.fetch(1, now_ms=100, at_most=2), partition.fetch(2, now_ms=100, at_most=2)
    partition.append("c", acks), partition.fetch(1, now_ms=2000, at_most=1)
    partition.shrink(now_ms=2000)
    partition.append("d", acks), partition.append("e", acks)
    partition.fetch(1, now_ms=2100, at_most=1)
    return partition

with one_line_errors():
    rows = []
    for acks in 0, 1, "all":
        for election, alive in ("clean", [1, 2]), ("unclean", [2]):
            partition = before_the_death(acks)
            stored = "".join(partition.acknowledged)
            partition.elect(alive, 2200, election == "unclean")
            kept = {entry.value for entry in partition.logs[partition.leader]}
            lost = "".join(each for each in stored if each not in kept)
            rows.append((str(acks), stored, election, lost or "none"))
    print(table(rows, ["acks", "counts as stored", "election", "lost"]))
print(acks_table(recorded_acks()))  # three brokers: `./lab experiment acks` repeats it
draw_acks(recorded_acks()).show()

check("ReplicatedPartition")

# %% [markdown]
# ### ★ · `StickyPartitioner`
#
# **Why.** Records without a key may go anywhere, but many small batches are slow. So Kafka's producers **stick** to one
# partition until a batch is full (invariant 7): [KIP-480][1], [KIP-794][2].
#
# **Rule.** `partition` returns the current partition until it has received `batch_bytes` or more since it was chosen.
# Then it chooses the one with the fewest bytes in total; if several have, any but the current one.
#
# **Edge cases**
#
# - The bytes of two partitions always differ by less than `batch_bytes` + the largest record.
# - A single partition takes everything. A record may have 0 bytes.
#
# [1]: https://cwiki.apache.org/confluence/display/KAFKA/KIP-480%3A+Sticky+Partitioner
# [2]: https://cwiki.apache.org/confluence/display/KAFKA/KIP-794%3A+Strictly+Uniform+Sticky+Partitioner

# %% task="StickyPartitioner" todo="stay until the batch is full, then go to the partition with the fewest bytes"
class StickyPartitioner:
    """Choose the partitions of records without a key.

    partition(record_bytes) -> int: the partition of the next record

    Example: partitions=2, batch_bytes=100, records of 60 bytes -> 0, 0, 1, 1, 0, 0
    """

    def __init__(self, partitions: int, batch_bytes: int) -> None:
        ### BEGIN SOLUTION
        self._bytes = [0] * partitions
        self._batch_bytes, self._missing_bytes, self._current = batch_bytes, batch_bytes, 0

    def partition(self, record_bytes: int) -> int:
        if self._missing_bytes <= 0:
            self._current, self._missing_bytes = self._fewest_bytes(), self._batch_bytes
        self._bytes[self._current] += record_bytes
        self._missing_bytes -= record_bytes
        return self._current

    def _fewest_bytes(self) -> int:
        """Return the partition with the fewest bytes; of several, the next one after the current."""
        in_turn = (*range(self._current + 1, len(self._bytes)), *range(self._current + 1))
        return min(in_turn, key=lambda partition: self._bytes[partition])
        ### END SOLUTION

# %% check="StickyPartitioner"
# One record is large. Which partitions get the next ones, and until when?
with one_line_errors():
    sticky = StickyPartitioner(partitions=3, batch_bytes=100)
    sizes = [60, 60, 400, 60, 60, 60, 60, 60, 60, 60, 60]
    print([sticky.partition(size) for size in sizes])

check("StickyPartitioner")

# %% [markdown]
# ### ★ · `TopicClient`
#
# **Why.** Now be a client of your own log. Members of one group share the partitions, and a second group gets every
# record again (invariant 17).
#
# **Tools.** [kafka-python](https://kafka-python.readthedocs.io/en/master/usage.html)
# ```python
# producer = KafkaProducer(bootstrap_servers=address, acks="all")
# producer.send("lamps", b"on", key=b"hall").get()   # get() waits for the broker
# member = {"group_id": "readers", "heartbeat_interval_ms": 200}
# consumer = KafkaConsumer(bootstrap_servers=address, **member)
# consumer.partitions_for_topic("lamps")    # first: without it a member may get none
# consumer.subscribe(["lamps"])             # joins with the first poll
# consumer.poll(timeout_ms=200)             # {TopicPartition: [record, …]}, maybe empty
# ```
#
# **Rule**
#
# - `publish` returns when the broker has acknowledged all records.
# - `read` calls `handle(partition, value)` for each record until `is_over()` is true; ask it about five times a second.
#   Then `read` leaves the group. A new group begins with the first record of each partition.
#
# **Edge cases.** Several threads may call `read` at the same time: each one is a member.

# %% task="TopicClient" todo="send with a KafkaProducer, read as a member of a group with a KafkaConsumer"
from kafka import KafkaConsumer, KafkaProducer


class TopicClient:
    """A client of one topic, with kafka-python.

    publish(records) -> None: send pairs (key, value)
    read(group, handle, is_over) -> None: be a member of a consumer group

    Example: TopicClient("127.0.0.1:9092", "lamps").publish([(b"hall", b"on")])
    """

    def __init__(self, address: str, topic: str) -> None:
        ### BEGIN SOLUTION
        self._address, self._topic = address, topic

    def publish(self, records: Iterable[tuple[bytes, bytes]]) -> None:
        with closing(KafkaProducer(bootstrap_servers=self._address, acks="all")) as producer:
            for sent in [producer.send(self._topic, value, key=key) for key, value in records]:
                sent.get()

    def read(self, group: str, handle: Callable[[int, bytes], object], is_over: Callable[[], bool]) -> None:
        settings = {"group_id": group, "auto_offset_reset": "earliest", "heartbeat_interval_ms": 200}
        with closing(KafkaConsumer(bootstrap_servers=self._address, **settings)) as consumer:
            consumer.partitions_for_topic(self._topic)
            consumer.subscribe([self._topic])
            while not is_over():
                for record in chain.from_iterable(consumer.poll(timeout_ms=200).values()):
                    handle(record.partition, record.value)
        ### END SOLUTION

# %% check="TopicClient"
# Two groups read your log: ann and bob count the hashtags of your Lab 2, the audit the
# rows. Who gets what?
from concurrent.futures import ThreadPoolExecutor
from streamlab.lab02_windows import tweet_texts
from streamlab.lab03_log.wire.server import WireServer
from streamlab.sources.topics import new_topic
tweets = [tweet.text.encode() for tweet in tweet_texts()[:1500]]
got, deadline = {"ann": [], "bob": [], "audit": []}, time.monotonic() + 30
def is_over() -> bool:
    ann, bob, audit = map(len, got.values())
    return min(ann + bob, audit) >= len(tweets) or time.monotonic() > deadline

with one_line_errors(), TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
    with WireServer(PartitionLog, Path(folder)) as own:
        client = TopicClient(own.address, new_topic(own.address, 4))
        handle = [lambda *each, to=records: to.append(each) for records in got.values()]
        groups = "board", "board", "audit"
        reads = pool.map(client.read, groups, handle, [is_over] * 3)
        for at in range(0, 1500, 50):  # the group forms meanwhile: who gets the first?
            some = range(at, at + 50)
            client.publish((b"author %d" % (each % 40), tweets[each]) for each in some)
        list(reads)
    for name, records in got.items():
        partitions = sorted({partition for partition, _ in records})
        print(f"{name}: {len(records)} tweets from partitions {partitions}")
    texts, find = [text for _, text in got["ann"] + got["bob"]], stage("lab02_windows")
    tags = chain.from_iterable(find.hashtags(text.decode()) for text in texts)
    print("board:", Counter(tags).most_common(3))
check("TopicClient")

# %% [markdown]
# ### ★ · `Membership`
#
# **Why.** A dead member cannot say that it is dead. **ZooKeeper** keeps a tree of nodes that all clients see. An
# **ephemeral** node disappears with the **session** that created it, some time after its client has died. A **watch**
# tells a client about a change. (Kafka today uses its own replicated log, **[KRaft][1]**.)
#
# **Tools.** [kazoo](https://kazoo.readthedocs.io/en/latest/basic_usage.html)
# ```python
# zk.create("/lamps/hall", b"on", ephemeral=True, makepath=True)  # or NodeExistsError
# zk.exists("/lamps/hall").ephemeralOwner == zk.client_id[0]      # this session's node?
# zk.ChildrenWatch("/lamps", print)               # print(["hall"]) now and after changes
# ```
#
# A `ChildrenWatch` needs a node that exists, and ends when its function returns False.
#
# [1]: https://cwiki.apache.org/confluence/x/FDd4CQ

# %% [markdown]
# **Rule** (invariant 11)
# ```text
#  /consumers/GROUP/ids/ann         ephemeral: ann is a member
#  /consumers/GROUP/offsets/0       persistent: "1200"
# ```
#
# - `join` makes `me` a member, `leave` ends that. `members` returns all names, sorted.
# - `on_change` calls `notify(members)` at once and after each change; quick changes may be reported together. `notify`
#   may return anything. It works before anybody has joined.
# - `commit` stores an offset. `committed` returns the last one that any member stored, or 0.
#
# **Edge cases**
#
# - `create` may succeed although its response is lost: if this session already has the node, `join` succeeds.
# - If another session has the node, perhaps that of a killed member, `join` waits until it is gone and never deletes
#   it. After `timeout_s`, it raises TimeoutError.
# - `leave()` without a node of this session does nothing. A group that never had a member has `members() == []`.

# %% task="Membership" todo="use an ephemeral node for the member, persistent nodes for offsets, a watch for changes"
class Membership:
    """The member `me` of a consumer group, on a connected ZooKeeper client `zk`.

    join(timeout_s=10.0), leave() -> None
    members() -> list[str]
    on_change(notify) -> None: call notify(list[str])
    commit(partition, offset) -> None
    committed(partition) -> int

    Raises TimeoutError in join.
    Example: ann.join(); ann.members() -> ["ann"]
    """

    def __init__(self, zk: KazooClient, group: str, me: str) -> None:
        ### BEGIN SOLUTION
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

    def on_change(self, notify: Callable[[list[str]], None]) -> None:
        def notify_sorted(names: list[str]) -> None:
            notify(sorted(names))  # and returns None: False would end the watch

        self._zk.ensure_path(self._ids)
        self._zk.ChildrenWatch(self._ids, notify_sorted)

    def commit(self, partition: int, offset: int) -> None:
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
        """Return whether the node is gone, is this session's, or changes within `at_most_s`."""
        changed = self._zk.handler.event_object()
        stat = self._zk.exists(self._node, watch=lambda _: changed.set())
        return stat is None or self._is_mine() or changed.wait(max(0.0, at_most_s))

    def _is_mine(self) -> bool:
        stat = self._zk.exists(self._node)
        return stat is not None and stat.ephemeralOwner == self._zk.client_id[0]
        ### END SOLUTION

# %% check="Membership"
# bob never calls leave(); his session ends. Does ann notice, and what is left of him?
def connected(zookeeper: Any) -> KazooClient:
    client = KazooClient(hosts=zookeeper.address, timeout=1.0)
    client.start()
    return client

with one_line_errors(), running("zookeeper") as zookeeper:
    clients = [connected(zookeeper) for _ in range(2)]
    named = zip(clients, ("ann", "bob"), strict=True)
    ann, bob = (Membership(zk, "readers", name) for zk, name in named)
    seen = []
    ann.join(), ann.on_change(seen.append)
    bob.join(), bob.commit(0, 1200)
    for client, names in (clients[1], ["ann", "bob"]), (clients[0], ["ann"]):
        deadline = time.monotonic() + 10
        while seen[-1] != names and time.monotonic() < deadline:
            time.sleep(0.01)
        print("ann sees:", seen[-1])
        if client is clients[0]:
            print("bob had committed offset", ann.committed(0), "in partition 0")
        client.stop()

check("Membership")

# %% [markdown]
# ### ★ · `highest_rate`
#
# **Why.** A **throughput** counts only if it is **stable**: messages do not wait longer and longer. Above it, the queue
# grows until **back-pressure** slows the producer down.
#
# **Rule** (invariant 15). `run(rate)` plays `rate` messages a second and returns their mean delay in seconds. Play
# `start_per_s` first. Then delay / `interval_s` decides:
#
# | below 0.01 | below 0.1 | below 0.5 | below 0.9 | below 1 | from 1 on, also infinity |
# |---|---|---|---|---|---|
# | play 50 times the rate | 5 times | 1.75 times | 1.03 times | return the rate | play half the rate |
#
# **Edge cases**
#
# - After `most_runs` runs return the highest rate whose delay was below the interval, or 0.
# - A delay that is negative or NaN, or below the interval at a rate above `limit_per_s`, raises MeasuringError.

# %% task="highest_rate" todo="play, look at the delay, choose the next rate; reject what cannot be true"
class MeasuringError(ValueError):
    """A measured value that cannot be true."""


def highest_rate(
    run: Callable[[float], float],
    start_per_s: float,
    interval_s: float,
    limit_per_s: float = math.inf,
    most_runs: int = 60,
) -> float:
    """Return the highest stable rate, in messages/s.

    Raises MeasuringError if a measured delay cannot be true.
    Example: highest_rate(run, start_per_s=100, interval_s=1) -> 175.0 if the delays
      are 0.3 s, then 0.95 s
    """
    ### BEGIN SOLUTION
    rate, best = start_per_s, 0.0
    for _ in range(most_runs):
        delay_s = run(rate)
        if not delay_s >= 0:
            raise MeasuringError(f"a delay is 0 s or more, got {delay_s} s at {rate:g} messages/s")
        ratio = delay_s / interval_s
        if ratio < 1:
            if rate > limit_per_s:
                raise MeasuringError(f"{rate:g} messages/s were stable, and at most {limit_per_s:g} are possible")
            best = max(best, rate)
        if 0.9 <= ratio < 1:
            return rate
        rate *= next((factor for below, factor in FACTORS if ratio < below), 0.5)
    return best


FACTORS = ((0.01, 50), (0.1, 5), (0.5, 1.75), (0.9, 1.03))
    ### END SOLUTION

# %% check="highest_rate"
# This machine can do 1,000 messages/s. Where does the search jump, creep, and stop?
with one_line_errors():
    def run(rate: float) -> float:
        delay_s = rate / 1000 if rate <= 1000 else 10.0
        print(f"{rate:7.1f} messages/s: delay {delay_s:.4f} s")
        return delay_s

    print("highest:", highest_rate(run, start_per_s=15, interval_s=1))

check("highest_rate")

# %% [markdown]
# ### ★ · `rate_limit`
#
# **Why.** **Network**, **cores** and **framework** can each handle only so much a second. A rate above the lowest of
# these bounds was measured wrongly.
#
# **Rule.** The messages have `size_bytes` and need `cpu_s` seconds of one core each. Return the lowest bound:
#
# - "network": `bytes_per_s` / `size_bytes`
# - "cpu": the messages that all cores finish in a second
# - "framework": `framework_per_s`
#
# **Edge cases.** Of equal bounds, name the first of this list. If `cpu_s` is 0, the CPU is no bound.

# %% task="rate_limit" todo="compute three bounds and return the lowest with its name"
class Limit(NamedTuple):
    """The highest possible rate and what bounds it, "network", "cpu" or "framework"."""

    rate_per_s: float
    bound: str


def rate_limit(
    size_bytes: int,
    cpu_s: float,
    cores: int,
    bytes_per_s: float,
    framework_per_s: float,
) -> Limit:
    """Return the lowest of three bounds, in messages/s.

    Example: rate_limit(1000, 0.01, cores=8, bytes_per_s=1e6, framework_per_s=1e5)
      -> Limit(800.0, "cpu")
    """
    ### BEGIN SOLUTION
    limits = [
        Limit(bytes_per_s / size_bytes, "network"),
        Limit(cores / cpu_s if cpu_s else math.inf, "cpu"),
        Limit(framework_per_s, "framework"),
    ]
    return min(limits, key=attrgetter("rate_per_s"))  # the first of equals
    ### END SOLUTION

# %% check="rate_limit"
# Messages of 1 KB cost more and more CPU time. Where does the bound change?
from timeit import repeat

def rate_of(cpu_s: float) -> float:
    """Return how many messages/s one core unpacks and works on for `cpu_s` each."""
    start_s, done = time.perf_counter(), 0
    while time.perf_counter() < start_s + 0.1:
        records_of(message)
        ready_at = time.perf_counter() + cpu_s
        while time.perf_counter() < ready_at:
            pass
        done += 1
    return done / (time.perf_counter() - start_s)

message, rows = batch_of([(b"key", bytes(1000))]), []
with one_line_errors():
    fastest_s = min(repeat(partial(records_of, message), number=100, repeat=50))
    for cpu_s in 1e-6, 1e-5, 1e-4, 1e-3:
        # One core, and a network of 10 Gbit/s.
        limit = rate_limit(1000, cpu_s, 1, 1.25e9, framework_per_s=100 / fastest_s)
        rows.append((1e6 * cpu_s, rate_of(cpu_s), *limit))
    names = ["CPU a message (µs)", "measured rate (1/s)", "limit (1/s)", "bound by"]
    print(table(rows, names))

check("rate_limit")
