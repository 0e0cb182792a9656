"""Wrong versions of `Membership`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

MEMBER_KILLED = "a_member_that_is_killed_is_noticed"
MEMBER_LEAVES = "a_member_that_leaves_is_gone_and_all_others_are_told"
NAME_BELONGS = "a_name_belongs_to_one_session_at_a_time"
COMMITTED_OFFSETS = "committed_offsets_stay_when_their_member_goes"

# Membership


# Takes any name and any offset.
@mutant("any_name", "a_name_or_an_offset_that_cannot_be_meant_is_refused")
class Membership(Membership):
    def __init__(self, zk, group, me):
        super().__init__(zk, group.replace("/", "-") or "-", me.replace("/", "-") or "-")

    def commit(self, partition, offset):
        super().commit(partition, max(0, offset))


# Takes a node of another session for its own.
@mutant("any_node_is_fine", NAME_BELONGS)
class Membership(Membership):
    def join(self, timeout_s=10.0):
        with suppress(NodeExistsError):
            self._zk.create(self._node, ephemeral=True, makepath=True)


# Gives names as ZooKeeper does.
@mutant("as_they_came", MEMBER_LEAVES)
class Membership(Membership):
    def members(self):
        return sorted(super().members(), reverse=True)


# Keeps the first offset that is committed for a partition.
@mutant("first_commit_stays", COMMITTED_OFFSETS)
class Membership(Membership):
    def commit(self, partition, offset):
        if offset < 0 or not self.committed(partition):
            super().commit(partition, offset)


# Stays in the list when it leaves.
@mutant("leaves_in_silence", MEMBER_LEAVES)
class Membership(Membership):
    def leave(self):
        pass


# Makes the nodes of offsets ephemeral.
@mutant("offsets_go_with_their_member", COMMITTED_OFFSETS)
class Membership(Membership):
    def commit(self, partition, offset):
        if offset < 0:
            raise ValueError(f"an offset is 0 or more, got {offset}")
        node, value = f"{self._offsets}/{partition}", str(offset).encode("ascii")
        try:
            self._zk.set(node, value)
        except NoNodeError:
            self._zk.create(node, value, ephemeral=True, makepath=True)


# Takes a node of its own session for another's.
@mutant("own_node_refused", NAME_BELONGS)
class Membership(Membership):
    def join(self, timeout_s=10.0):
        if self._zk.exists(self._node):
            raise TimeoutError(f"{self._node} is there already")
        super().join(timeout_s)


# Makes a member's node persistent, so that nobody notices who is killed.
@mutant("persistent", [MEMBER_KILLED, MEMBER_LEAVES, NAME_BELONGS])
class Membership(Membership):
    def join(self, timeout_s=10.0):
        if not self._zk.exists(self._node):
            self._zk.create(self._node, makepath=True)

    def leave(self):
        self._zk.delete(self._node)


# Removes the node of another session that has the same name.
@mutant("takes_the_name", NAME_BELONGS)
class Membership(Membership):
    def join(self, timeout_s=10.0):
        if self._zk.exists(self._node) and not self._is_mine():
            self._zk.delete(self._node)
        super().join(timeout_s)


# Tells of the members once, and of no change.
@mutant("told_once", [MEMBER_KILLED, MEMBER_LEAVES])
class Membership(Membership):
    def on_change(self, on_progress):
        on_progress(self.members())
