"""Leaves the part of a batch that a full disk still took."""

KILLED_BY = ["a_full_disk_leaves_the_log_as_it_was"]


class Segment(Segment):
    def append(self, data, header):
        try:
            super().append(data, header)
        except OSError:
            log, _ = self._files
            with suppress(OSError):
                write(log, data)
            raise
