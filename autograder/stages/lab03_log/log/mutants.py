"""Wrong versions of `PartitionLog`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

CORRUPT_BATCH = "a_corrupt_batch_is_never_given_out"
FULL_DISK = "a_full_disk_leaves_the_log_as_it_was"
READ_GIVES = "a_read_gives_whole_batches_from_the_one_that_holds_the_offset"
TORN_TAIL = "a_torn_tail_is_cut_at_the_last_whole_batch"
INDEX_DOES = "an_index_that_does_not_fit_its_log_is_made_anew"
OFFSETS_RISE = "offsets_rise_by_one_without_gap_or_repeat"
READING_OUTSIDE = "reading_outside_the_log_says_where_it_begins_and_ends"
SEGMENTS_ROLL = "segments_roll_before_they_outgrow_their_size"
SEGMENTS_DO = "segments_that_do_not_follow_each_other_are_refused"
INDEX_FINDS = "the_index_finds_an_offset_without_a_scan"
LAST_SEGMENT = "the_last_segment_is_cut_before_its_first_corrupt_batch"
LOG_CANNOT = "what_a_log_cannot_mean_is_refused"
WHOLE_BATCH = "what_is_no_whole_batch_is_refused_and_writes_nothing"
WAS_ACKNOWLEDGED = "what_was_acknowledged_survives_the_kill_of_its_writer"
WHOLE_OLD = "whole_old_segments_expire_and_no_other"

# PartitionLog


# Says nothing of a write that failed.
@mutant("a_full_disk_is_not_told", FULL_DISK)
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        with suppress(OSError):
            return super().append(batch, records)
        return self.end_offset


# Counts a batch that could not be written.
@mutant("a_full_disk_takes_an_offset", FULL_DISK)
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        try:
            return super().append(batch, records)
        except OSError:
            self._segments[-1].end += records
            raise


# Opens a log that lacks a segment.
@mutant("a_gap_is_accepted", SEGMENTS_DO)
class PartitionLog(PartitionLog):
    def recover(self):
        try:
            return super().recover()
        except ValueError:
            return self._segments[-1].open()


# Writes each batch in as many pieces as it has records.
@mutant("a_write_for_each_record", "appending_whole_batches_is_faster_than_one_write_per_record", task="PartitionLog")
class Segment(Segment):
    def append(self, data, header):
        log, index = self._files
        step = -(-len(data) // header.records)
        try:
            for at in range(0, len(data), step):
                write(log, data[at : at + step])
            if self._entry_is_due():
                write(index, ENTRY.pack(self.end - self.base, self.size))
        except OSError:
            log.truncate(self.size)
            raise
        self._take(header)


# Begins one entry of the index before the right one.
@mutant("an_entry_too_early", INDEX_FINDS, task="PartitionLog")
class Segment(Segment):
    def entry_before(self, offset):
        right = self.entries.index(super().entry_before(offset))
        return self.entries[max(0, right - 1)]


# Begins with the first entry of the index that is not before the offset.
@mutant("an_entry_too_late", [READ_GIVES, INDEX_FINDS], task="PartitionLog")
class Segment(Segment):
    def entry_before(self, offset):
        behind = [each for each in self.entries if each[0] >= offset - self.base]
        return behind[0] if behind else self.entries[-1]


# Leaves the index of a segment that is gone.
@mutant("an_index_stays_alone", INDEX_DOES)
class PartitionLog(PartitionLog):
    def recover(self):
        alone = [each for each in self._folder.glob("*.index") if not each.with_suffix(".log").exists()]
        kept = [(each, each.read_bytes()) for each in alone]
        cut = super().recover()
        for path, data in kept:
            path.write_bytes(data)
        return cut


# Names 0 as its begin when old segments have gone.
@mutant("begins_at_zero_for_ever", READING_OUTSIDE)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        try:
            return super().read(offset, max_bytes)
        except OffsetOutOfRange:
            raise OffsetOutOfRange(offset, 0, self.end_offset) from None


# Begins a read with the first batch that begins at the offset or behind it.
@mutant("begins_behind_the_offset", READ_GIVES)
class PartitionLog(PartitionLog):
    def _from(self, offset):
        return ((header, whole) for header, whole in super()._from(offset) if header.base_offset >= offset)


# Begins with the first record that is young enough, in the middle of a segment.
@mutant("begins_with_a_young_record", [READING_OUTSIDE, WHOLE_OLD])
class PartitionLog(PartitionLog):
    young = 0

    def retain(self, now_ms, retention_ms):
        gone = super().retain(now_ms, retention_ms)
        oldest = (
            each for each in self._from(super().start_offset) if each[0].max_timestamp_ms >= now_ms - retention_ms
        )
        self.young = next((header.base_offset for header, _ in oldest), self.end_offset)
        return gone

    @property
    def start_offset(self):
        return max(self.young, super().start_offset)


# Keeps what it acknowledged in a buffer of Python's.
@mutant(
    "buffered",
    [OFFSETS_RISE, READING_OUTSIDE, SEGMENTS_ROLL, INDEX_FINDS, SEGMENTS_DO, WHOLE_OLD, WAS_ACKNOWLEDGED, FULL_DISK],
)
class PartitionLog(PartitionLog):
    def recover(self):
        cut = super().recover()
        self.waiting, self.next = [], self._segments[-1].end
        return cut

    def append(self, batch, records):
        if len(self.waiting) < 1000 and (header := header_of(batch)) and header.records == records:
            if header.size_bytes == len(batch) and header.crc == crc_of(batch):
                self.waiting.append((batch, records))
                self.next += records
                return self.next - records
        self._hand_over()
        first = super().append(batch, records)
        self.next = first + records
        return first

    def _hand_over(self):
        waiting, self.waiting = getattr(self, "waiting", []), []
        for batch, records in waiting:
            super().append(batch, records)

    @property
    def end_offset(self):
        return self._segments[-1].end

    def read(self, offset, max_bytes):
        self._hand_over()
        return super().read(offset, max_bytes)

    def close(self):
        self._hand_over()
        super().close()


# Leaves a corrupt batch out of what is read, and goes on behind it.
@mutant("corrupt_is_skipped", CORRUPT_BATCH)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        while True:
            try:
                return super().read(offset, max_bytes)
            except CorruptBatch:
                offset += 1


# Believes whoever appends how many records a batch has.
@mutant("counts_nothing", WHOLE_BATCH)
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        header = header_of(batch)
        return super().append(batch, header.records if header else records)


# Cuts a tail that is torn together with the whole batch before it.
@mutant("cuts_a_batch_too_many", [TORN_TAIL, LAST_SEGMENT], task="PartitionLog")
class Segment(Segment):
    def load(self, every_crc):
        super().load(every_crc)
        if every_crc and self.log.stat().st_size > self.size:
            headers = [header for header, _ in islice(self.walk((0, 0)), self._count() - 1)]
            self.entries, self.size, self.end = [(0, 0)], 0, self.base
            for header in headers:
                self._take(header)
            self.index.write_bytes(b"".join(starmap(ENTRY.pack, self.entries[1:])))

    def _count(self):
        headers = []
        with suppress(CorruptBatch):
            headers += (header for header, _ in self.walk((0, 0)) if header.base_offset < self.end)
        return max(1, len(headers))


# Cuts a segment whose end is torn at its begin.
@mutant("empties_a_torn_segment", [TORN_TAIL, LAST_SEGMENT], task="PartitionLog")
class Segment(Segment):
    def load(self, every_crc):
        super().load(every_crc)
        if every_crc and self.log.stat().st_size > self.size:
            self.entries, self.size, self.end = [(0, 0)], 0, self.base
            self.index.write_bytes(b"")


# Does not read over the border of a segment.
@mutant("ends_with_the_segment", [READ_GIVES, TORN_TAIL, LAST_SEGMENT, CORRUPT_BATCH, SEGMENTS_DO, WAS_ACKNOWLEDGED])
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, max_bytes)
        later = [each.base for each in self._segments if batches and each.base > batches[0].base_offset]
        return [each for each in batches if not later or each.base_offset < later[0]]


# Writes an entry of the index for every batch.
@mutant("every_batch_has_an_entry", [SEGMENTS_ROLL, INDEX_FINDS, INDEX_DOES], task="PartitionLog")
class Segment(Segment):
    def _entry_is_due(self):
        return self.size > 0


# Lets a segment go when it is just as old as the retention.
@mutant("expires_at_the_age", WHOLE_OLD)
class PartitionLog(PartitionLog):
    def retain(self, now_ms, retention_ms):
        return super().retain(now_ms + 1, retention_ms)


# Lets a segment go when its oldest batch is past its time.
@mutant("expires_by_record", WHOLE_OLD, task="PartitionLog")
class Segment(Segment):
    def newest_ms(self):
        return min(header.max_timestamp_ms for header, _ in self.walk((0, 0)))


# Takes the timestamp of a segment's last batch for its newest.
@mutant("expires_by_the_last_record", WHOLE_OLD, task="PartitionLog")
class Segment(Segment):
    def newest_ms(self):
        *_, (last, _) = self.walk((0, 0))
        return last.max_timestamp_ms


# Lets old segments go behind one that is young enough.
@mutant("expires_from_anywhere", WHOLE_OLD)
class PartitionLog(PartitionLog):
    def retain(self, now_ms, retention_ms):
        if retention_ms < 0:
            return super().retain(now_ms, retention_ms)
        gone = [each for each in self._segments[:-1] if each.newest_ms() < now_ms - retention_ms]
        for each in gone:
            self._segments.remove(each)
            each.delete()
        return len(gone)


# Skips an offset whenever it is opened.
@mutant(
    "gap_after_reopening",
    [
        OFFSETS_RISE,
        READ_GIVES,
        SEGMENTS_ROLL,
        INDEX_FINDS,
        WHOLE_BATCH,
        TORN_TAIL,
        LAST_SEGMENT,
        CORRUPT_BATCH,
        INDEX_DOES,
        SEGMENTS_DO,
        WHOLE_OLD,
        WAS_ACKNOWLEDGED,
        FULL_DISK,
    ],
)
class PartitionLog(PartitionLog):
    def recover(self):
        cut = super().recover()
        self._segments[-1].end += self.end_offset > 0
        return cut


# Believes the index of an older segment, whatever it says.
@mutant("indexes_are_believed", INDEX_DOES, task="PartitionLog")
class Segment(Segment):
    def _stored_entries(self):
        data = self.index.read_bytes() if self.index.exists() else b""
        return [(0, 0), *ENTRY.iter_unpack(data[: len(data) // ENTRY.size * ENTRY.size])]


# Looks only at headers when it is opened.
@mutant("no_crc_when_opened", LAST_SEGMENT, task="PartitionLog")
class Segment(Segment):
    def load(self, every_crc):
        self.index.write_bytes(b"") if every_crc else None
        super().load(every_crc=False)


# Verifies the CRC of a batch when it comes and when the log is opened, and never after.
@mutant("no_crc_when_read", CORRUPT_BATCH, task="PartitionLog")
class Segment(Segment):
    def walk(self, entry):
        for header, whole in super().walk(entry):
            yield header, partial(self._unverified, header, whole)

    def _unverified(self, header, whole):
        try:
            return whole()
        except CorruptBatch as refusal:
            if not self._files and not getattr(self, "loading", False):
                position = int(str(refusal).partition(" at byte ")[2].partition(":")[0])
                return self.log.read_bytes()[position : position + header.size_bytes]
            raise

    def load(self, every_crc):
        self.loading = True
        super().load(every_crc)
        self.loading = False


# Rejects a read that comes to a corrupt batch, and gives nothing of what is before it.
@mutant("nothing_before_a_corrupt_batch", CORRUPT_BATCH)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, max_bytes)
        room = max_bytes - sum(len(each.data) for each in batches)
        after = batches[-1].base_offset + batches[-1].records if batches else self.end_offset
        if room > 0 and after < self.end_offset:
            super().read(after, room)
        return batches


# Gives nothing below the start and behind the end.
@mutant("nothing_outside", READING_OUTSIDE)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        try:
            return super().read(offset, max_bytes)
        except OffsetOutOfRange:
            return []


# Gives nothing where the first batch is larger than there is room for.
@mutant("nothing_where_nothing_fits", [READ_GIVES, INDEX_FINDS, INDEX_DOES])
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, max_bytes)
        return [] if batches and len(batches[0].data) > max_bytes else batches


# Answers an append with the offset of the batch's last record.
@mutant("offset_of_the_last_record", [OFFSETS_RISE, READ_GIVES, READING_OUTSIDE, WHOLE_BATCH, WHOLE_OLD])
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        return super().append(batch, records) + records - 1


# Takes any offset for the next one when it is opened.
@mutant("offsets_not_verified", LAST_SEGMENT, task="PartitionLog")
class Segment(Segment):
    def walk(self, entry):
        position = entry[1]
        with open(self.log, "rb", buffering=PIECE_BYTES) as file:
            size = file.seek(0, os.SEEK_END)
            while position < size:
                file.seek(position)
                head, where = file.read(HEADER_BYTES), f"{self.log} at byte {position}"
                header = header_of(head)
                if header is None or position + header.size_bytes > size:
                    raise CorruptBatch(f"{where}: expected a whole batch")
                yield header, partial(read_whole, file, head, header, where)
                position += header.size_bytes


# Gives the batch that goes over the limit, too.
@mutant("one_batch_too_many", [READ_GIVES, READING_OUTSIDE, INDEX_FINDS])
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        batches = super().read(offset, 1 << 30 if max_bytes > 0 else max_bytes)
        sizes = [sum(len(each.data) for each in batches[:number]) for number in range(len(batches))]
        return [batch for batch, before in zip(batches, sizes, strict=True) if before < max_bytes]


# Begins a new segment when the old one is full, whatever the next batch takes.
@mutant("rolls_too_late", SEGMENTS_ROLL)
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        allowed, size = self._segment_bytes, self._segments[-1].size
        self._segment_bytes = size if size >= allowed else 1 << 40
        try:
            return super().append(batch, records)
        finally:
            self._segment_bytes = allowed


# Begins a new segment for a batch that would have filled the old one to the byte.
@mutant("rolls_too_soon", [SEGMENTS_ROLL, INDEX_FINDS, CORRUPT_BATCH, INDEX_DOES, WHOLE_OLD])
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        self._segment_bytes -= 1
        try:
            return super().append(batch, records)
        finally:
            self._segment_bytes += 1


# Reads where there is room for no byte.
@mutant("room_for_no_byte", LOG_CANNOT)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        return super().read(offset, max(1, max_bytes))


# Reads each segment from its begin.
@mutant("scans", INDEX_FINDS, task="PartitionLog")
class Segment(Segment):
    def entry_before(self, offset):
        return 0, 0


# Takes any size of a segment and of the way between entries.
@mutant("sizes_of_nothing", LOG_CANNOT)
class PartitionLog(PartitionLog):
    def __init__(self, directory, segment_bytes=1_048_576, index_bytes=4096):
        super().__init__(directory, max(1, segment_bytes), max(1, index_bytes))


# Does not verify the CRC of what is appended.
@mutant("takes_a_false_crc", WHOLE_BATCH)
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        header = header_of(batch)
        if header and header.size_bytes == len(batch) and header.records == records:
            batch = batch[:17] + crc_of(batch).to_bytes(4, "big") + batch[21:]
        return super().append(batch, records)


# Takes a batch with more bytes than it says, and leaves the rest out.
@mutant("takes_what_is_behind_a_batch", WHOLE_BATCH)
class PartitionLog(PartitionLog):
    def append(self, batch, records):
        header = header_of(batch)
        return super().append(batch[: header.size_bytes] if header else batch, records)


# Rejects to read at the end, where the next record will be.
@mutant("the_end_is_outside", READING_OUTSIDE)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        if offset == self.end_offset:
            raise OffsetOutOfRange(offset, self.start_offset, self.end_offset)
        return super().read(offset, max_bytes)


# Says that a batch is corrupt, and not where.
@mutant("the_place_is_not_told", CORRUPT_BATCH)
class PartitionLog(PartitionLog):
    def read(self, offset, max_bytes):
        try:
            return super().read(offset, max_bytes)
        except CorruptBatch:
            raise CorruptBatch("a batch is corrupt") from None


# Says which segment ends too early, and not what follows it.
@mutant("the_second_name_is_missing", SEGMENTS_DO)
class PartitionLog(PartitionLog):
    def recover(self):
        try:
            return super().recover()
        except ValueError as refusal:
            raise ValueError(str(refusal).partition(",")[0]) from None


# Leaves the part of a batch that a full disk still took.
@mutant("torn_by_a_full_disk", FULL_DISK, task="PartitionLog")
class Segment(Segment):
    def append(self, data, header):
        try:
            super().append(data, header)
        except OSError:
            log, _ = self._files
            with suppress(OSError):
                write(log, data)
            raise
