"""Lets a segment go when its oldest batch is past its time."""

KILLED_BY = ["whole_old_segments_expire_and_no_other"]


class Segment(Segment):
    def newest_ms(self):
        return min(header.max_timestamp_ms for header, _ in self.walk((0, 0)))
