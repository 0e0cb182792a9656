"""Consumer groups: their members, leader and generation. The server does not inspect the assignments.

A group goes EMPTY -> JOINING (members join, or rejoin because of a rebalance) -> SYNCING (the leader, one of the
members, computes the assignment) -> STABLE, and back to JOINING when a member joins, leaves or stops its heartbeats.
https://kafka.apache.org/documentation/#impl_consumer, and KIP-62 (session and rebalance time-outs), KIP-394 (a new
member gets an id before it joins).
"""

import asyncio
import uuid
from collections.abc import Callable
from enum import Enum

from kafka.errors import (
    IllegalGenerationError,
    InconsistentGroupProtocolError,
    RebalanceInProgressError,
    UnknownMemberIdError,
)

from streamlab.lab03_log.wire.members import Joined, Member, Protocol, common_protocols, elected_protocol


class State(Enum):
    """The phase that a group is in."""

    EMPTY = "empty"
    JOINING = "joining"
    SYNCING = "syncing"
    STABLE = "stable"


class Group:
    """One group; only the server's one thread uses it."""

    def __init__(self) -> None:
        self.state, self.generation = State.EMPTY, 0
        self._protocol_type = self._protocol = self._leader = ""
        self._members: dict[str, Member] = {}
        self._announced: dict[str, asyncio.TimerHandle] = {}  # ids that were assigned and have not joined yet
        self._deadline: asyncio.TimerHandle | None = None

    def announce(self, client_id: str, session_s: float) -> str:
        """Return the id of a new member, which has to join within `session_s`."""
        member_id = new_member_id(client_id)
        self._announced[member_id] = _later(session_s, self._forget, member_id)
        return member_id

    async def join(
        self, member_id: str, protocol_type: str, protocols: list[Protocol], session_s: float, rebalance_s: float
    ) -> Joined:
        """Join or rejoin; return when the next generation begins.

        Raises InconsistentGroupProtocolError, UnknownMemberIdError.
        """
        self._must_fit(member_id, protocol_type, protocols)
        if timer := self._announced.pop(member_id, None):
            timer.cancel()
        member = self._members.get(member_id) or Member(member_id)
        unchanged = member.protocols == protocols
        member.protocols, member.session_s, member.rebalance_s = protocols, session_s, rebalance_s
        self._members[member_id], self._protocol_type = member, protocol_type
        if unchanged and self._needs_no_rebalance_for(member):
            self._watch(member)
            return self._joined(member)
        waiting = member.joining.wait()
        self._watch(member)
        self._rebalance()
        return await waiting

    async def sync(self, member_id: str, generation: int, assignments: dict[str, bytes]) -> bytes:
        """Return a member's assignment; the leader sends all assignments, the other members wait for them."""
        member = self._member(member_id, generation)
        if self.state is State.JOINING:
            raise RebalanceInProgressError()
        if self.state is State.STABLE:
            return member.assignment
        waiting = member.syncing.wait()
        if member_id == self._leader:
            self._assign(assignments)
        return await waiting

    def heartbeat(self, member_id: str, generation: int) -> None:
        """Restart the member's session; raises RebalanceInProgressError if the member has to rejoin."""
        self._watch(self._member(member_id, generation))
        if self.state is State.JOINING:
            raise RebalanceInProgressError()

    def may_commit(self, member_id: str, generation: int) -> None:
        """Raise the protocol's error unless this commit is allowed.

        Allowed are commits of a member in the current generation, and commits of a non-member to an empty group.
        """
        if generation < 0 and not member_id and self.state is State.EMPTY:
            return
        self._watch(self._member(member_id, generation))
        if self.state is State.SYNCING:
            raise RebalanceInProgressError()

    def leave(self, member_id: str) -> None:
        """Remove a member at once; raises UnknownMemberIdError."""
        if timer := self._announced.pop(member_id, None):
            timer.cancel()
        elif member_id not in self._members:
            raise UnknownMemberIdError(member_id)
        self._remove(member_id)

    # Rules.

    def _must_fit(self, member_id: str, protocol_type: str, protocols: list[Protocol]) -> None:
        others = [each.protocols for each in self._members.values() if each.id != member_id]
        agreed = common_protocols([protocols, *others])
        if not protocol_type or not agreed or (self._members and protocol_type != self._protocol_type):
            raise InconsistentGroupProtocolError()
        if member_id not in self._members and member_id not in self._announced:
            raise UnknownMemberIdError(member_id)

    def _member(self, member_id: str, generation: int) -> Member:
        """Return the member; raises the protocol's error for an unknown member or another generation."""
        if member_id not in self._members:
            raise UnknownMemberIdError(member_id)
        if generation != self.generation:
            raise IllegalGenerationError(f"expected generation {self.generation}, got {generation}")
        return self._members[member_id]

    def _needs_no_rebalance_for(self, member: Member) -> bool:
        """Return whether a member that rejoins because its answer was lost only needs the same answer again."""
        return self.state is State.SYNCING or (self.state is State.STABLE and member.id != self._leader)

    # Changes of state.

    def _rebalance(self) -> None:
        """Ask all members to rejoin, and begin the next generation if they have."""
        if self.state is not State.JOINING:
            self.state = State.JOINING
            for member in self._members.values():
                member.syncing.answer(RebalanceInProgressError())
            limit_s = max(member.rebalance_s for member in self._members.values())
            self._deadline = _later(limit_s, self._begin_generation)
        self._begin_if_complete()

    def _begin_if_complete(self) -> None:
        if not self._announced and all(member.joining for member in self._members.values()):
            self._begin_generation()

    def _begin_generation(self) -> None:
        """Begin with the members that have joined, and remove the others."""
        if self._deadline:
            self._deadline.cancel()
        for member in [each for each in self._members.values() if not each.joining]:
            self._members.pop(member.id).leave(UnknownMemberIdError(member.id))
        self.generation += 1
        if not self._members:
            self.state = State.EMPTY
            return
        self.state = State.SYNCING
        self._protocol = elected_protocol([each.protocols for each in self._members.values()])
        if self._leader not in self._members:
            self._leader = next(iter(self._members))
        for member in self._members.values():
            member.joining.answer(self._joined(member))
            self._watch(member)

    def _joined(self, member: Member) -> Joined:
        everyone = [(each.id, each.metadata(self._protocol)) for each in self._members.values()]
        visible = everyone if member.id == self._leader else []
        return Joined(self.generation, self._protocol, self._leader, member.id, visible)

    def _assign(self, assignments: dict[str, bytes]) -> None:
        self.state = State.STABLE
        for member in self._members.values():
            member.assignment = assignments.get(member.id, b"")
            member.syncing.answer(member.assignment)

    def _watch(self, member: Member) -> None:
        """Restart the timer that removes the member if it sends no heartbeat within its session time-out."""
        if member.expiry:
            member.expiry.cancel()
        if not member.joining:  # a member that waits to join sends no heartbeats
            member.expiry = _later(member.session_s, self._remove, member.id)

    def _forget(self, member_id: str) -> None:
        """Drop an id that was assigned but never joined."""
        self._announced.pop(member_id, None)
        self._remove(member_id)

    def _remove(self, member_id: str) -> None:
        """Continue without this member, even if it never joined: the others may be waiting for it."""
        member = self._members.pop(member_id, None)
        if member:
            member.leave(UnknownMemberIdError(member_id))
        if self.state is State.JOINING:
            self._begin_if_complete()
        elif member and self._members:
            self._rebalance()
        elif not self._members:
            self.state = State.EMPTY


class Groups:
    """All groups by name."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}

    def made(self, name: str) -> Group:
        """Return the group, and create it if it is missing."""
        return self._groups.setdefault(name, Group())

    def find(self, name: str) -> Group | None:
        """Return the group, or None if no member has ever joined it."""
        return self._groups.get(name)


def new_member_id(client_id: str) -> str:
    """Return a unique id; it begins with the client's name, so that it is recognizable in logs."""
    return f"{client_id}-{uuid.uuid4()}"


def _later(delay_s: float, call: Callable[..., None], *arguments: object) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(delay_s, call, *arguments)
