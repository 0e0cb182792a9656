"""Wrong versions of PartitionLog, each with the checks that must catch it; those of its parts are in `segments`."""

from autograder.checks.mutant_markers import mutant, reference

CORRUPT_BATCH = "a_corrupt_batch_is_never_returned"
GOES_ON = "a_log_keeps_working_after_any_fault"
READ_GIVES = "a_read_starts_with_the_batch_that_holds_the_offset"
OFFSETS_RISE = "offsets_rise_by_one_without_gaps_or_repeats"
READING_OUTSIDE = "a_read_outside_the_log_raises_offset_out_of_range"
INDEX_FINDS = "the_index_finds_an_offset_without_a_scan"
LOG_CANNOT = "invalid_sizes_and_retentions_raise_value_error"
ACKNOWLEDGED = "acknowledged_records_survive_a_kill_of_the_writer"
FASTER = "appending_whole_batches_is_faster_than_one_write_per_record"

reference("PartitionLog")

mutant("recovers_silently", GOES_ON, ("        return cut_bytes", "        return 0"))
mutant(
    "close_without_a_flush",
    OFFSETS_RISE,
    ("            self._segments.all[-1].close()", "            self._segments.all[-1]._file.close()"),
)
mutant("a_path_only", OFFSETS_RISE, ("= Path(directory), segment_bytes", "= directory, segment_bytes"))
mutant("an_index_stays_alone", GOES_ON, ("                index.unlink()", "                pass"))
mutant(
    "ends_with_the_segment",
    [READ_GIVES, CORRUPT_BATCH, GOES_ON, ACKNOWLEDGED],
    ("self._segments.since(offset)", "self._segments.since(offset)[:1]"),
)
mutant(
    "reads_the_segment_and_searches_it",
    INDEX_FINDS,
    (
        "segments = self._segments.since(offset)",
        "segments = [each for each in self._segments.since(offset) if each.log.read_bytes()]",
    ),
)
mutant(
    "names_are_synced_by_the_first_flush_only",
    OFFSETS_RISE,
    ("        sync_folder(self._folder)", "        "),
    (
        "    def flush(self) -> None:",
        "    named = False\n\n    def flush(self) -> None:\n        self.named = self.named or not sync_folder(self._folder)",
    ),
)


# Keeps acknowledged batches in a list, and appends them before a read or close.
@mutant("buffered", [OFFSETS_RISE, READING_OUTSIDE, INDEX_FINDS, GOES_ON, LOG_CANNOT, ACKNOWLEDGED])
class PartitionLog(PartitionLog):
    waiting = ()

    def append(self, batch, records):
        if (header := header_of(batch)) and (len(batch), header.records, header.crc) == (
            header.size_bytes,
            records,
            crc_of(batch),
        ):
            self.waiting = [*self.waiting, (batch, records)]
            return self.end_offset + sum(count for _, count in self.waiting) - records
        return super().append(batch, records)

    def _hand_over(self):
        waiting, self.waiting = self.waiting, ()
        for batch, records in waiting:
            super().append(batch, records)

    def read(self, offset, max_bytes):
        self._hand_over()
        return super().read(offset, max_bytes)

    def close(self):
        self._hand_over()
        super().close()


reference("Segment")

mutant(
    "a_write_for_each_record",
    FASTER,
    (
        "            write_all(self._file, at_offset(batch, offset))",
        "            data, step = at_offset(batch, offset), -(-len(batch) // records)\n            for at in range(0, len(data), step):\n                write_all(self._file, data[at : at + step])",
    ),
    task="PartitionLog",
)
