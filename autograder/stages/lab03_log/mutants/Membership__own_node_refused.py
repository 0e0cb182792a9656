"""Takes a node of its own session for another's."""

KILLED_BY = ["a_name_belongs_to_one_session_at_a_time"]


class Membership(Membership):
    def join(self, timeout_s=10.0):
        if self._zk.exists(self._node):
            raise TimeoutError(f"{self._node} is there already")
        super().join(timeout_s)
