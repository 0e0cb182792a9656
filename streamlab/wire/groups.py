"""Consumer groups: who is in, who leads, which generation it is. The server never looks at what is assigned.

A group goes EMPTY -> JOINING (members come, or come back because of a rebalance) -> SYNCING (the leader, one of the
members, computes the assignment) -> STABLE, and back to JOINING when somebody comes, leaves or falls silent.
https://kafka.apache.org/documentation/#impl_consumer, and KIP-62 (session and rebalance time-outs), KIP-394 (a new
member is given an id before it joins). Keeps out: committed offsets (committed.py), requests and answers (joining.py).
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

from streamlab.wire.members import Joined, Member, Protocol, common_protocols, elected_protocol


class State(Enum):
    """What a group is doing."""

    EMPTY = "empty"
    JOINING = "joining"
    SYNCING = "syncing"
    STABLE = "stable"


class Group:
    """One group; all use of it is in the server's one thread."""

    def __init__(self) -> None:
        self.state, self.generation = State.EMPTY, 0
        self._protocol_type = self._protocol = self._leader = ""
        self._members: dict[str, Member] = {}
        self._announced: dict[str, asyncio.TimerHandle] = {}  # ids that were given and have not joined yet
        self._deadline: asyncio.TimerHandle | None = None

    def announce(self, client_id: str, session_s: float) -> str:
        """The id of a new member, which has to join within `session_s`."""
        member_id = new_member_id(client_id)
        self._announced[member_id] = _later(session_s, self._forget, member_id)
        return member_id

    async def join(
        self, member_id: str, protocol_type: str, protocols: list[Protocol], session_s: float, rebalance_s: float
    ) -> Joined:
        """Join, or join again; returns when the next generation begins.

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
        """A member's assignment; the leader brings all of them, the others wait for it."""
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
        """A sign of life; raises RebalanceInProgressError where the member has to join again."""
        self._watch(self._member(member_id, generation))
        if self.state is State.JOINING:
            raise RebalanceInProgressError()

    def may_commit(self, member_id: str, generation: int) -> None:
        """Raises where this is no commit of a member in the present generation, nor one from outside an empty group."""
        if generation < 0 and not member_id and self.state is State.EMPTY:
            return
        self._watch(self._member(member_id, generation))
        if self.state is State.SYNCING:
            raise RebalanceInProgressError()

    def leave(self, member_id: str) -> None:
        """Take a member out at once; raises UnknownMemberIdError."""
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
        """The member, if this is its generation."""
        if member_id not in self._members:
            raise UnknownMemberIdError(member_id)
        if generation != self.generation:
            raise IllegalGenerationError(f"it is generation {self.generation}, got {generation}")
        return self._members[member_id]

    def _needs_no_rebalance_for(self, member: Member) -> bool:
        """Whether a member that joins again, since the answer was lost, only has to be told once more."""
        return self.state is State.SYNCING or (self.state is State.STABLE and member.id != self._leader)

    # Changes of state.

    def _rebalance(self) -> None:
        """Ask all members to join again, and begin the next generation if they have."""
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
        """Begin with those who have joined; the others are out."""
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
        told = everyone if member.id == self._leader else []
        return Joined(self.generation, self._protocol, self._leader, member.id, told)

    def _assign(self, assignments: dict[str, bytes]) -> None:
        self.state = State.STABLE
        for member in self._members.values():
            member.assignment = assignments.get(member.id, b"")
            member.syncing.answer(member.assignment)

    def _watch(self, member: Member) -> None:
        """Take the member out if it gives no sign of life for as long as its session lasts."""
        if member.expiry:
            member.expiry.cancel()
        if not member.joining:  # one that waits to join sends no heartbeats
            member.expiry = _later(member.session_s, self._remove, member.id)

    def _forget(self, member_id: str) -> None:
        """An id that was given is not used."""
        self._announced.pop(member_id, None)
        self._remove(member_id)

    def _remove(self, member_id: str) -> None:
        """Go on without this member; also where it never joined, as the others may wait for it."""
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
        """The group, made where it is missing."""
        return self._groups.setdefault(name, Group())

    def find(self, name: str) -> Group | None:
        """The group, None where nobody has ever joined it."""
        return self._groups.get(name)


def new_member_id(client_id: str) -> str:
    """An id that nobody else has; it begins with the client's name, for whoever reads logs."""
    return f"{client_id}-{uuid.uuid4()}"


def _later(delay_s: float, call: Callable[..., None], *arguments: object) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(delay_s, call, *arguments)
