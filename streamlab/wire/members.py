"""One member of a consumer group, as its coordinator sees it, and the vote on how partitions are assigned.

Keeps out: when a group changes (groups.py).
"""

import asyncio
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from kafka.errors import RebalanceInProgressError

T = TypeVar("T")


class Protocol(NamedTuple):
    """A way to assign partitions that a member knows, and what it says about itself to whoever assigns."""

    name: str
    metadata: bytes


class Joined(NamedTuple):
    """A generation that began: `members` are (id, metadata) of all, given to the leader only."""

    generation: int
    protocol: str
    leader: str
    member_id: str
    members: list[tuple[str, bytes]]


class Waiting(Generic[T]):
    """A request that is answered later: with a result, or with an error."""

    def __init__(self) -> None:
        self._answer: asyncio.Future[T] | None = None

    def __bool__(self) -> bool:
        return self._answer is not None

    def wait(self) -> "asyncio.Future[T]":
        """What to await; an earlier request that still waits is told to try again."""
        self.answer(RebalanceInProgressError())
        self._answer = asyncio.get_running_loop().create_future()
        return self._answer

    def answer(self, result: T | Exception) -> None:
        """Let whoever waits go on; nothing if nobody does."""
        answer, self._answer = self._answer, None
        if answer is None or answer.done():
            return
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)


class Member:
    """A member and what it waits for: the next generation (`joining`), or its assignment (`syncing`)."""

    def __init__(self, member_id: str) -> None:
        self.id = member_id
        self.protocols: list[Protocol] = []
        self.session_s = self.rebalance_s = 0.0
        self.joining, self.syncing = Waiting[Joined](), Waiting[bytes]()
        self.assignment = b""
        self.expiry: asyncio.TimerHandle | None = None

    def metadata(self, protocol: str) -> bytes:
        """What the member said about itself for `protocol`."""
        return next(each.metadata for each in self.protocols if each.name == protocol)

    def leave(self, problem: Exception) -> None:
        """Answer what it waits for, and stop watching it."""
        self.joining.answer(problem)
        self.syncing.answer(problem)
        if self.expiry:
            self.expiry.cancel()


def common_protocols(members: Sequence[Sequence[Protocol]]) -> set[str]:
    """The names that all members know."""
    named = [{each.name for each in protocols} for protocols in members]
    return set.intersection(*named) if named else set()


def elected_protocol(members: Sequence[Sequence[Protocol]]) -> str:
    """The protocol with most votes; each member votes for the first on its list that all know.

    Example: [range, sticky], [sticky, range], [sticky, range] -> "sticky"
    """
    common = common_protocols(members)
    votes = [next(each.name for each in protocols if each.name in common) for protocols in members]
    return max(sorted(common), key=votes.count)
