"""Stays in the list when it leaves."""

KILLED_BY = ["a_member_that_leaves_is_gone_and_all_others_are_told"]


class Membership(Membership):
    def leave(self):
        pass
