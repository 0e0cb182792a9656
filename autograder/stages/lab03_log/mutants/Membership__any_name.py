"""Takes any name and any offset."""

KILLED_BY = ["a_name_or_an_offset_that_cannot_be_meant_is_refused"]


class Membership(Membership):
    def __init__(self, zk, group, me):
        super().__init__(zk, group.replace("/", "-") or "-", me.replace("/", "-") or "-")

    def commit(self, partition, offset):
        super().commit(partition, max(0, offset))
