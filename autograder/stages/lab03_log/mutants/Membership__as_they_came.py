"""Gives names as ZooKeeper does."""

KILLED_BY = ["a_member_that_leaves_is_gone_and_all_others_are_told"]


class Membership(Membership):
    def members(self):
        return sorted(super().members(), reverse=True)
