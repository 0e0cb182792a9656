"""Wrong versions of recover_segment, SparseIndex, Segment, SegmentList, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

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
mutant(
    "close_flushes_nothing", GIVES, ("        self.flush()\n        self._file.close()", "        self._file.close()")
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
mutant(
    "a_full_disk_takes_an_offset",
    FULL_DISK,
    (
        "            raise\n        return offset",
        "            self.end_offset += records\n            raise\n        return offset",
    ),
)

# SegmentList
