"""Verifies the CRC of a batch when it comes and when the log is opened, and never after."""

KILLED_BY = ["a_corrupt_batch_is_never_given_out"]


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
