"""A cluster of three Kafka brokers on this machine; each is also a controller (KRaft), and two are a majority."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from streamlab.progress import OnProgress, silent
from streamlab.services.guard import Guard
from streamlab.services.kafka import Kafka, new_cluster_id
from streamlab.services.ports import HOST, free_ports
from streamlab.services.process import ServiceError

BROKERS = 3
NEEDED_MB = 1000  # each broker reserves 256 MB of heap and takes about as much again outside of it under load
# Followers ask the leader for 1 MB or for what it has after half a second. With Kafka's own 1 byte they lag by a few
# milliseconds on one machine, and a kill would have to be lucky to show what they miss.
FOLLOWER_SETTINGS = {"replica.fetch.min.bytes": 1_000_000, "replica.fetch.wait.max.ms": 500}
CLUSTER_SETTINGS = {"offsets.topic.replication.factor": BROKERS, "min.insync.replicas": 2, "num.partitions": 1}


class Member(Kafka):
    """Broker `number` of a cluster, from 0; `ports` holds the client's and the controller's port of each broker."""

    def __init__(self, folder: Path, number: int, ports: Sequence[tuple[int, int]], cluster_id: str) -> None:
        super().__init__(folder)
        self.number, self._cluster_id = number, cluster_id
        self._kept_ports = list(ports[number])
        self._voters = ",".join(f"{at}@{HOST}:{controller}" for at, (_, controller) in enumerate(ports))

    def own_settings(self) -> dict[str, object]:
        """Return the settings of one broker of the cluster."""
        own = {"node.id": self.number, "controller.quorum.voters": self._voters}
        return super().own_settings() | CLUSTER_SETTINGS | FOLLOWER_SETTINGS | own

    def cluster_id(self) -> str:
        """Return the id that all brokers share."""
        return self._cluster_id


@contextmanager
def three_brokers(free_mb: float, on_progress: OnProgress = silent) -> Iterator[list[Member]]:
    """Start three empty brokers in temporary folders; they end with the block, or with this Python.

    Raises ServiceError if less than `NEEDED_MB` of memory is free or a broker does not start; `JavaNotFound`.
    """
    if free_mb < NEEDED_MB:
        raise ServiceError(f"three brokers need {NEEDED_MB} MB of memory, and {free_mb:.0f} MB are free")
    numbers = free_ports(2 * BROKERS)
    ports, cluster_id = list(zip(numbers[::2], numbers[1::2], strict=True)), new_cluster_id()
    with ExitStack() as stack:
        members = [stack.enter_context(_member(number, ports, cluster_id)) for number in range(BROKERS)]
        Kafka.fetch(on_progress)
        on_progress("starting three brokers")
        start_together(members)
        yield members


def start_together(members: Sequence[Member]) -> None:
    """Start brokers at the same time: the first one answers only when two controllers have elected a leader."""
    with ThreadPoolExecutor(len(members)) as pool:
        list(pool.map(Member.start, members))


@contextmanager
def _member(number: int, ports: Sequence[tuple[int, int]], cluster_id: str) -> Iterator[Member]:
    folder = Path(tempfile.mkdtemp(prefix=f"streamlab-kafka-{number}-"))
    member, guard = Member(folder, number, ports, cluster_id), Guard(folder)
    try:
        yield member
    finally:
        member.discard()
        guard.leave()
        shutil.rmtree(folder, ignore_errors=True)
