"""Takes the timestamp of a segment's last batch for its newest."""

KILLED_BY = ["whole_old_segments_expire_and_no_other"]


class Segment(Segment):
    def newest_ms(self):
        *_, (last, _) = self.walk((0, 0))
        return last.max_timestamp_ms
