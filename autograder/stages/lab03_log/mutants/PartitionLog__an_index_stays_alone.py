"""Leaves the index of a segment that is gone."""

KILLED_BY = ["an_index_that_does_not_fit_its_log_is_made_anew"]


class PartitionLog(PartitionLog):
    def recover(self):
        alone = [each for each in self._folder.glob("*.index") if not each.with_suffix(".log").exists()]
        kept = [(each, each.read_bytes()) for each in alone]
        cut = super().recover()
        for path, data in kept:
            path.write_bytes(data)
        return cut
