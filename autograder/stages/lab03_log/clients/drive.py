"""Run a learner's `TopicClient` on a wire server with a log in memory; the kit's clients take part."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.patience import wait_until
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.lab03_log.wire.batches import Batch, at_offset
from streamlab.lab03_log.wire.server import WireServer
from streamlab.sources.topics import new_topic, read_by_two, send

PATIENCE_S, ROUND_S, ROUNDS = 20.0, 2.0, 10
PROBES = 32  # enough keys that each of four partitions gets one
MEMBERS = (("ann", "board"), ("bob", "board"), ("audit", "audit"))


class _MemoryLog:
    """The log of a partition, a test double of `PartitionLog`: it keeps batches, and ignores `max_bytes`."""

    start_offset = 0

    def __init__(self, _: Path) -> None:
        self.end_offset, self._batches = 0, list[Batch]()

    def append(self, batch: bytes, records: int) -> int:
        """Store a batch and return its first offset."""
        offset = self.end_offset
        self._batches.append(Batch(offset, records, at_offset(batch, offset)))
        self.end_offset += records
        return offset

    def read(self, offset: int, max_bytes: int) -> list[Batch]:
        """Return all batches from the one with `offset` on."""
        return [each for each in self._batches if each.base_offset + each.records > offset]

    def close(self) -> None:
        """Do nothing: the log ends with the case."""


class _Member:
    """A thread that reads as a member of a group, and what it has handled: (partition, value)."""

    def __init__(self, client: Any, group: str) -> None:
        self.handled: list[tuple[Any, Any]] = []
        self.problem: BaseException | None = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(client, group), daemon=True)
        self._thread.start()

    def _run(self, client: Any, group: str) -> None:
        try:
            client.read(group, lambda partition, value: self.handled.append((partition, value)), self._is_over.is_set)
        except Exception as problem:
            self.problem = problem

    def partitions_of(self, probe: bytes) -> list[Any]:
        """Return the partitions of a round's probes that this member has handled; raises what ended its thread."""
        if self.problem is not None:
            raise self.problem
        return [partition for partition, value in list(self.handled) if value == probe]

    def stop(self) -> bool:
        """End the member, and return whether its `read` has returned."""
        self._is_over.set()
        return wait_until(lambda: not self._thread.is_alive(), PATIENCE_S)


@drive("TopicClient", slow=True)
def topic_client(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return what each member, or the kit's group, has read of the records of a case."""
    records = [(key.encode(), value.encode()) for key, value in case["records"]]
    with WireServer(_MemoryLog, scratch) as server:
        topic = new_topic(server.address, case["partitions"])
        client = stage.TopicClient(server.address, topic)
        if case["writes"] == "yours":
            return or_rejected(lambda: _published(client, server.address, topic, records))
        send(server.address, topic, [(key.encode(), value.encode(), 0) for key, value in case["earlier"]])
        first = case["earlier"][0][1].encode()
        return or_rejected(lambda: _read(client, server.address, topic, records, first))


def _published(client: Any, address: str, topic: str, records: Sequence[tuple[bytes, bytes]]) -> Rows:
    fill: Callable[[], None] = lambda: client.publish(iter(records))  # noqa: E731
    _, got = read_by_two(address, topic, fill, len(records), PATIENCE_S)
    return {"read": {str(at): [(each.value or b"").decode() for each in got[at]] for at in got}}


def _read(client: Any, address: str, topic: str, records: Sequence[tuple[bytes, bytes]], first: bytes) -> Rows:
    members = {name: _Member(client, group) for name, group in MEMBERS}
    values = {value for _, value in records}
    try:
        formed = any(_is_shared_out(members, address, topic) for _ in range(ROUNDS))
        if formed:
            send(address, topic, [(key, value, 0) for key, value in records])
            wait_until(lambda: all(count >= len(records) for count in _counts(members, values)), PATIENCE_S)
    finally:
        left = [member.stop() for member in members.values()]
    handled = {
        name: [[plain(at), value.decode()] for at, value in member.handled if value in values]
        for name, member in members.items()
    }
    firsts = {name: first in [value for _, value in member.handled] for name, member in members.items()}
    groups = {"board": firsts["ann"] or firsts["bob"], "audit": firsts["audit"]}
    return {"formed": formed, "left": all(left), "handled": handled, "first": groups}


def _counts(members: dict[str, _Member], values: set[bytes]) -> tuple[int, int]:
    """Return how many of the values the members of each group have handled."""
    ann, bob, audit = (sum(value in values for _, value in list(member.handled)) for member in members.values())
    return ann + bob, audit


def _is_shared_out(members: dict[str, _Member], address: str, topic: str) -> bool:
    """Send a round of probes; return whether both groups have read all of it and the members of one share it."""
    probe = f"probe {time.monotonic_ns()}".encode()
    send(address, topic, [(b"%d" % key, probe, 0) for key in range(PROBES)])

    def read_by() -> list[list[Any]]:
        return [member.partitions_of(probe) for member in members.values()]

    def all_have_read() -> bool:
        ann, bob, audit = map(len, read_by())
        return ann + bob >= PROBES <= audit

    in_time = wait_until(all_have_read, ROUND_S)
    ann, bob, audit = read_by()
    once = len(ann) + len(bob) == len(audit) == PROBES
    return in_time and once and bool(ann and bob) and set(ann).isdisjoint(bob)
