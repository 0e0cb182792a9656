"""Wrong versions of Membership, each with the checks that must catch it: a second each, so at most two a check."""

from autograder.checks.mutant_markers import mutant, reference

KILLED = "the_others_notice_a_killed_member"
LEAVES = "the_others_notice_a_member_that_leaves"
NAME = "a_name_belongs_to_one_session_at_a_time"
OFFSETS = "committed_offsets_outlive_their_member"

reference("Membership")

mutant(
    "persistent",  # killed members are not detected
    [KILLED, NAME],
    ("self._zk.create(self._node, ephemeral=True, makepath=True)", "self._zk.create(self._node, makepath=True)"),
    ("stat is not None and stat.ephemeralOwner == self._zk.client_id[0]", "stat is not None"),
)
mutant(
    "notify_ends_the_watch",  # a ChildrenWatch ends when its function returns False
    LEAVES,
    ("            notify(sorted(names))", "            return notify(sorted(names))"),
)
mutant(
    "offsets_go_with_their_member",
    OFFSETS,
    ("self._zk.create(node, value, makepath=True)", "self._zk.create(node, value, ephemeral=True, makepath=True)"),
)
