"""Wrong versions of recover_segment, SparseIndex, Segment, SegmentList, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, survivor

TORN = "a_torn_tail_is_cut_after_the_last_whole_batch"
CORRUPT = "a_segment_is_cut_before_its_first_corrupt_batch"
DUE = "a_batch_gets_an_entry_after_every_index_bytes"
FOUND = "find_returns_the_last_entry_at_or_before_the_offset"
REBUILT = "an_index_that_does_not_fit_its_log_is_rebuilt"
GIVES = "batches_start_with_the_one_that_holds_the_offset"
WHOLE_BATCH = "an_invalid_batch_is_rejected_and_nothing_is_written"
FULL_DISK = "a_full_disk_leaves_the_segment_unchanged"
ROLLS = "a_segment_rolls_before_it_exceeds_segment_bytes"
FAILED = "a_failed_append_leaves_no_new_segment"
FOLLOW = "a_gap_or_overlap_between_segments_raises_value_error"
EXPIRES = "only_whole_old_segments_expire"

# recover_segment

mutant(
    "cuts_a_batch_too_many",
    [TORN, CORRUPT],
    ("    cut_bytes =", "    if whole_bytes < log.stat().st_size:\n        whole_bytes -= size\n    cut_bytes ="),
    ("            whole_bytes +=", "            size = stored.header.size_bytes\n            whole_bytes +="),
    ("    whole_bytes = 0", "    whole_bytes = size = 0"),
    of="recover_segment",
)


@mutant("offsets_not_verified", CORRUPT)
def recover_segment(log, base_offset):
    log.touch()
    data, position = log.read_bytes(), 0
    while header := header_of(data, position):
        if header.crc != crc_of(data[position : position + header.size_bytes]):
            break
        position += header.size_bytes
    os.truncate(log, position)
    return len(data) - position


@mutant("looks_for_the_next_good_batch", CORRUPT)
def recover_segment(log, base_offset):
    log.touch()
    data, kept, position = log.read_bytes(), b"", 0
    while header := header_of(data, position):
        batch = data[position : position + header.size_bytes]
        if header.crc == crc_of(batch):
            kept += batch
        position += header.size_bytes
    log.write_bytes(kept)
    return len(data) - len(kept)


# SparseIndex

mutant(
    "counted_from_the_segments_begin",  # an entry for every batch after the first index_bytes
    [DUE, REBUILT],
    ("position - self._entries[-1][1] <", "position <"),
    of="SparseIndex",
)
mutant(
    "scans",
    FOUND,
    ("self._entries[max(0, bisect_right(self._entries, offset, key=itemgetter(0)) - 1)]", "self._entries[0]"),
    of="SparseIndex",
)
mutant(
    "keeps_its_file_open",
    DUE,
    (
        """            with FileIO(self._path, "a") as file:
                write_all(file, ENTRY""",
        """            self._file = getattr(self, "_file", None) or FileIO(self._path, "a")
            if True:
                write_all(self._file, ENTRY""",
    ),
    of="SparseIndex",
)
survivor(
    "SparseIndex",
    "if len(whole) < len(data) or not rising or entries[-1][1] >= log_bytes:",
    "if len(whole) != len(data) or not rising or entries[-1][1] >= log_bytes:",
    reason="equivalent: what is whole of the data is never longer than the data",
)

# Segment

mutant(
    "newest_since_the_last_entry",  # a running maximum forgets what the walk from the index does not pass
    GIVES,
    ("self.end_offset, self.size_bytes = index.load", "self.end_offset, self.size_bytes = self._start = index.load"),
    ("for stored in walk(self.log, self.base_offset))", "for stored in walk(self.log, *self._start))"),
    of="Segment",
)
mutant("flushes_nothing", [GIVES, WHOLE_BATCH, FULL_DISK], ("os.fdatasync(self._file.fileno())", "pass"), of="Segment")
mutant(
    "takes_what_follows_a_batch",
    WHOLE_BATCH,
    (
        "        if header is None or",
        "        batch = batch[: header.size_bytes] if header else batch\n        if header is None or",
    ),
    of="Segment",
)
mutant(
    "a_full_disk_takes_an_offset",
    FULL_DISK,
    (
        "            raise\n        return offset",
        "            self.end_offset += records\n            raise\n        return offset",
    ),
    of="Segment",
)

# SegmentList

mutant(
    "rolls_too_late",
    [ROLLS, FAILED],
    ("active.size_bytes + len(batch) <= self", "active.size_bytes < self"),
    of="SegmentList",
)
mutant(
    "the_old_segment_is_closed_first",
    FAILED,
    ("        active.close()\n", ""),
    ("active.flush()", "active.close()"),
    of="SegmentList",
)
mutant(
    "a_gap_is_accepted",
    FOLLOW,
    ("if older.end_offset != later.base_offset", "if older.end_offset > later.base_offset"),
    of="SegmentList",
)
mutant(
    "expires_from_anywhere",
    EXPIRES,
    ("takewhile(", "filter("),
    ("        del self.all[: len(old)]", "        self.all = [each for each in self.all if each not in old]"),
    of="SegmentList",
)
survivor(
    "SegmentList",
    "if active.size_bytes == 0 or active.size_bytes + len(batch) <= self._segment_bytes:",
    "if active.size_bytes <= 0 or active.size_bytes + len(batch) <= self._segment_bytes:",
    reason="equivalent: no file has fewer than 0 bytes",
)
