"""One member of a consumer group as its coordinator sees it, and the members' vote on the assignment protocol."""

import asyncio
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from kafka.errors import RebalanceInProgressError

T = TypeVar("T")


class Protocol(NamedTuple):
    """An assignment protocol that a member supports, and the member's metadata for the leader, who assigns."""

    name: str
    metadata: bytes


class Joined(NamedTuple):
    """A new generation; `members` are (id, metadata) of all members for the leader, and empty for the others."""

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
        """Return the future to await; an earlier request that still waits gets RebalanceInProgressError."""
        self.answer(RebalanceInProgressError())
        self._answer = asyncio.get_running_loop().create_future()
        return self._answer

    def answer(self, result: T | Exception) -> None:
        """Resolve the waiting request, if any."""
        answer, self._answer = self._answer, None
        if answer is None or answer.done():
            return
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)


class Member:
    """A member; it may wait for the next generation (`joining`) or for its assignment (`syncing`)."""

    def __init__(self, member_id: str) -> None:
        self.id = member_id
        self.protocols: list[Protocol] = []
        self.session_s = self.rebalance_s = 0.0
        self.joining, self.syncing = Waiting[Joined](), Waiting[bytes]()
        self.assignment = b""
        self.expiry: asyncio.TimerHandle | None = None

    def metadata(self, protocol: str) -> bytes:
        """Return the metadata that the member sent for `protocol`."""
        return next(each.metadata for each in self.protocols if each.name == protocol)

    def leave(self, problem: Exception) -> None:
        """Answer the member's waiting requests with `problem`, and cancel its session timer."""
        self.joining.answer(problem)
        self.syncing.answer(problem)
        if self.expiry:
            self.expiry.cancel()


def common_protocols(members: Sequence[Sequence[Protocol]]) -> set[str]:
    """Return the names of the protocols that all members support."""
    supported = [{each.name for each in protocols} for protocols in members]
    return set.intersection(*supported) if supported else set()


def elected_protocol(members: Sequence[Sequence[Protocol]]) -> str:
    """Return the protocol with the most votes; each member votes for the first on its list that all support.

    Example: [range, sticky], [sticky, range], [sticky, range] -> "sticky"
    """
    common = common_protocols(members)
    votes = [next(each.name for each in protocols if each.name in common) for protocols in members]
    return max(sorted(common), key=votes.count)
