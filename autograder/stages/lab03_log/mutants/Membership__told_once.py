"""Tells of the members once, and of no change."""

KILLED_BY = ["a_member_that_is_killed_is_noticed", "a_member_that_leaves_is_gone_and_all_others_are_told"]


class Membership(Membership):
    def on_change(self, on_progress):
        on_progress(self.members())
