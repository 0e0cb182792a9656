"""Says which segment ends too early, and not what follows it."""

KILLED_BY = ["segments_that_do_not_follow_each_other_are_refused"]


class PartitionLog(PartitionLog):
    def recover(self):
        try:
            return super().recover()
        except ValueError as refusal:
            raise ValueError(str(refusal).partition(",")[0]) from None
