"""Does not verify the CRC of what is appended."""

KILLED_BY = ["what_is_no_whole_batch_is_refused_and_writes_nothing"]


class PartitionLog(PartitionLog):
    def append(self, batch, records):
        header = header_of(batch)
        if header and header.size_bytes == len(batch) and header.records == records:
            batch = batch[:17] + crc_of(batch).to_bytes(4, "big") + batch[21:]
        return super().append(batch, records)
