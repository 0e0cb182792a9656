"""Believes whoever appends how many records a batch has."""

KILLED_BY = ["what_is_no_whole_batch_is_refused_and_writes_nothing"]


class PartitionLog(PartitionLog):
    def append(self, batch, records):
        header = header_of(batch)
        return super().append(batch, header.records if header else records)
