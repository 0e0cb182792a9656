"""Removes the node of another session that has the same name."""

KILLED_BY = ["a_name_belongs_to_one_session_at_a_time"]


class Membership(Membership):
    def join(self, timeout_s=10.0):
        if self._zk.exists(self._node) and not self._is_mine():
            self._zk.delete(self._node)
        super().join(timeout_s)
