"""Makes a member's node persistent, so that nobody notices who is killed."""

KILLED_BY = [
    "a_member_that_is_killed_is_noticed",
    "a_member_that_leaves_is_gone_and_all_others_are_told",
    "a_name_belongs_to_one_session_at_a_time",
]


class Membership(Membership):
    def join(self, timeout_s=10.0):
        if not self._zk.exists(self._node):
            self._zk.create(self._node, makepath=True)

    def leave(self):
        self._zk.delete(self._node)
