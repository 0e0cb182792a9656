"""Makes the nodes of offsets ephemeral."""

KILLED_BY = ["committed_offsets_stay_when_their_member_goes"]


class Membership(Membership):
    def commit(self, partition, offset):
        if offset < 0:
            raise ValueError(f"an offset is 0 or more, got {offset}")
        node, value = f"{self._offsets}/{partition}", str(offset).encode("ascii")
        try:
            self._zk.set(node, value)
        except NoNodeError:
            self._zk.create(node, value, ephemeral=True, makepath=True)
