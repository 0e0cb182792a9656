"""Wrong versions of recover_segment, SparseIndex, Segment, SegmentList, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

GIVES = "batches_start_with_the_one_that_holds_the_offset"
WHOLE_BATCH = "an_invalid_batch_is_rejected_and_nothing_is_written"
FULL_DISK = "a_full_disk_leaves_the_segment_unchanged"

# recover_segment


# SparseIndex


reference("Segment")

mutant(
    "newest_since_the_last_entry",  # a running maximum forgets what the walk from the index does not pass
    GIVES,
    ("self.end_offset, self.size_bytes = index.load", "self.end_offset, self.size_bytes = self._start = index.load"),
    ("for stored in walk(self.log, self.base_offset))", "for stored in walk(self.log, *self._start))"),
)
mutant("flushes_nothing", [GIVES, WHOLE_BATCH, FULL_DISK], ("os.fdatasync(self._file.fileno())", "pass"))
mutant("delete_leaves_it_open", GIVES, ("        self._file.close()\n        for path", "        for path"))
mutant(
    "delete_flushes",  # which a closed file cannot
    GIVES,
    (
        "        self._file.close()\n        for path",
        "        os.fsync(self._file.fileno())\n        self._file.close()\n        for path",
    ),
)
mutant(
    "batches_end_at_a_corrupt_one",
    GIVES,
    (
        "        for stored in walk(self.log, *self._index.find(offset)):\n            if",
        "        with suppress(CorruptBatch):\n          for stored in walk(self.log, *self._index.find(offset)):\n            if",
    ),
)
mutant(
    "newest_since_1970",
    GIVES,
    ("return max(stored.", "return max(0, *(stored."),
    ("self.base_offset))", "self.base_offset)))"),
)
mutant(
    "a_wrong_crc_ends_it",
    GIVES,
    (
        "                self._count_batch(stored.header)",
        "                if crc_of(stored.read()) != stored.header.crc:\n                    break\n                self._count_batch(stored.header)",
    ),
)
mutant(
    "believes_the_crc",
    WHOLE_BATCH,
    (
        "(len(batch), records, crc_of(batch)) != (header.size_bytes, header.records, header.crc)",
        "(records, crc_of(batch)) != (header.records, header.crc)",
    ),
)
mutant(
    "takes_what_follows_a_batch",
    WHOLE_BATCH,
    (
        "        if header is None or",
        "        batch = batch[: header.size_bytes] if header else batch\n        if header is None or",
    ),
)

# SegmentList
