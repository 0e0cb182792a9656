"""Apache Kafka: one broker that is its own controller (KRaft), bounded to 256 MB of heap.

The settings are documented at https://kafka.apache.org/documentation/#configuration.
"""

import base64
import os
import socket
import struct
import uuid
from pathlib import Path
from typing import ClassVar

from streamlab.java.jars import JarSet, fetched
from streamlab.progress import OnProgress, silent
from streamlab.services.base import Service
from streamlab.services.java_servers import java_command, properties
from streamlab.services.ports import HOST

VERSION = "4.3.1"  # of the jars in the list; conf/kafka-ivy.xml explains how to make another list
CONF = Path(__file__).resolve().parent / "conf"
JARS = JarSet(f"kafka_2.13-{VERSION}", CONF / "kafka-jars.sha256")
HEAP_MB = 256
SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": "data",  # relative to the service's folder; a full path could contain a comma, the list separator
    "num.partitions": 4,
    "auto.create.topics.enable": "false",
    # one broker cannot hold three replicas, and a consumer need not wait for others to join
    "offsets.topic.num.partitions": 4,
    "offsets.topic.replication.factor": 1,
    "transaction.state.log.num.partitions": 4,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "group.initial.rebalance.delay.ms": 0,
    # small files and buffers
    "log.segment.bytes": 64 * 1024 * 1024,
    "log.cleaner.dedupe.buffer.size": 8 * 1024 * 1024,
    # after a kill -9 the broker can register again once its old registration has expired
    "broker.session.timeout.ms": 3000,
    "broker.heartbeat.interval.ms": 500,
}
OUTSIDE, OUTSIDE_PORT = "STREAMLAB_KAFKA_OUTSIDE", 19092  # how clients outside of a container reach the broker in it
METADATA, METADATA_VERSION = 3, 1
ANSWER_LIMIT_S = 2.0


class Kafka(Service):
    """One Kafka broker; `ports` are the one for clients and the controller's."""

    name: ClassVar[str] = "kafka"
    ports_needed: ClassVar[int] = 2

    @classmethod
    def fetch(cls, on_progress: OnProgress = silent) -> None:
        """Fetch the broker's jars."""
        fetched(JARS, on_progress)

    def version(self) -> str:
        """Return the version of the broker."""
        return VERSION

    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Fetch the jars at first use, write the settings, format a new data folder, and return the command."""
        class_path = ":".join(JARS.paths_in(fetched(JARS, on_progress)))
        own = self.own_settings()
        if outside := os.environ.get(OUTSIDE):
            own["listeners"] = f"{own['listeners']},OUTSIDE://{HOST}:{OUTSIDE_PORT}"
            own["advertised.listeners"] = f"{own['advertised.listeners']},OUTSIDE://{outside}"
            own["listener.security.protocol.map"] = f"{SETTINGS['listener.security.protocol.map']},OUTSIDE:PLAINTEXT"
        (self.folder / "server.properties").write_text(properties(SETTINGS | own), encoding="ascii")
        if not (self.data / "meta.properties").exists():
            on_progress("formatting kafka's data folder")
            self.run(self._format(class_path), "formatting the data folder")
        return java_command(
            "kafka.Kafka", "server.properties", class_path=class_path, heap_mb=HEAP_MB, folder=self.folder
        )

    def own_settings(self) -> dict[str, object]:
        """Return the settings that this broker shares with no other: its addresses and its controllers."""
        port, controller_port = self._record.ports
        return {
            "listeners": f"PLAINTEXT://{HOST}:{port},CONTROLLER://{HOST}:{controller_port}",
            "advertised.listeners": f"PLAINTEXT://{HOST}:{port}",
            "controller.quorum.voters": f"1@{HOST}:{controller_port}",
        }

    def cluster_id(self) -> str:
        """Return the id of the cluster that a new data folder belongs to."""
        return new_cluster_id()

    def answers(self) -> bool:
        """Return whether the metadata list a broker in service; the broker listens before that."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_LIMIT_S) as connection:
                return brokers_in_service(connection) > 0
        except (OSError, struct.error):
            return False

    def _format(self, class_path: str) -> list[str]:
        step = ["format", "-t", self.cluster_id(), "-c", "server.properties", "--ignore-formatted"]
        main = "kafka.tools.StorageTool"
        return java_command(main, *step, class_path=class_path, heap_mb=HEAP_MB // 2, folder=self.folder)


def new_cluster_id() -> str:
    """Return a random id in Kafka's form: 16 bytes in base 64 that do not begin with a dash."""
    while (made := base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()).startswith("-"):
        pass
    return made


def brokers_in_service(connection: socket.socket) -> int:
    """Ask for metadata of no topic and count the brokers in the answer.

    Version 1 of the request is the same in all releases of Kafka since 0.10: https://kafka.apache.org/protocol#The_Messages_Metadata.
    """
    client = b"streamlab"
    request = struct.pack(f"!hhih{len(client)}si", METADATA, METADATA_VERSION, 0, len(client), client, 0)
    connection.sendall(struct.pack("!i", len(request)) + request)
    with connection.makefile("rb") as answer:
        _, _, count = struct.unpack("!iii", answer.read(12))  # size, correlation id, brokers
    return int(count)
