"""Clients that send one request, or any bytes, and return what the tests need; None means the server disconnected."""

import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from kafka.protocol import consumer
from kafka.protocol.admin import CreateTopicsRequest
from kafka.protocol.api_header import ResponseClassRegistry
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer import FetchRequest, JoinGroupRequest, OffsetFetchRequest, SyncGroupRequest
from kafka.protocol.metadata import MetadataRequest
from kafka.protocol.producer import InitProducerIdRequest, ProduceRequest

SUBSCRIPTION = struct.pack(">hii", 0, 0, -1)  # of a consumer: version 0, no topics, no user data


class Fetched(NamedTuple):
    error_code: int
    high_watermark: int
    size_bytes: int


def ask(address: str, request: ApiMessage, version: int) -> Any:
    with raw_client(address) as client:
        return client.ask(request, version)


def produce(address: str, topic: str, records: bytes | None, partition: int = 0, acks: int = -1) -> tuple[int, int]:
    """Append to a partition; return (error code, base offset)."""
    answer = ask(address, produce_request(topic, records, partition, acks), 9)
    got = answer.responses[0].partition_responses[0]
    return got.error_code, got.base_offset


def produce_request(topic: str, records: bytes | None, partition: int = 0, acks: int = -1) -> ProduceRequest:
    Topic = ProduceRequest.TopicProduceData
    data = Topic(name=topic, partition_data=[Topic.PartitionProduceData(index=partition, records=records)])
    return ProduceRequest(transactional_id=None, acks=acks, timeout_ms=5000, topic_data=[data])


def new_producer_id(address: str) -> int:
    answer = ask(address, InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000), 4)
    assert answer.error_code == 0
    return int(answer.producer_id)


def fetch(address: str, topic: str, offset: int, partition: int = 0, **limits: int) -> Fetched:
    return fetch_all(address, topic, {partition: offset}, **limits)[0]


def fetch_all(address: str, topic: str, offsets: Mapping[int, int], **limits: int) -> list[Fetched]:
    got = ask(address, fetch_request(topic, offsets, **limits), 12).responses[0].partitions
    return [Fetched(each.error_code, each.high_watermark, len(each.records or b"")) for each in got]


def fetch_request(
    topic: str,
    offsets: Mapping[int, int],
    *,
    max_wait_ms: int = 0,
    min_bytes: int = 1,
    max_bytes: int = 1 << 20,
    partition_max_bytes: int = 1 << 20,
) -> FetchRequest:
    Topic = FetchRequest.FetchTopic
    partitions = [
        Topic.FetchPartition(partition=at, fetch_offset=offset, partition_max_bytes=partition_max_bytes)
        for at, offset in offsets.items()
    ]
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=max_bytes,
        isolation_level=0,
        topics=[Topic(topic=topic, partitions=partitions)],
        forgotten_topics_data=[],
    )


def list_offset(address: str, topic: str, timestamp: int, partition: int = 0) -> tuple[int, int, int]:
    """Return (error code, timestamp, offset) for a timestamp in a partition."""
    Topic = consumer.ListOffsetsRequest.ListOffsetsTopic
    wanted = Topic.ListOffsetsPartition(partition_index=partition, current_leader_epoch=-1, timestamp=timestamp)
    topics = [Topic(name=topic, partitions=[wanted])]
    answer = ask(address, consumer.ListOffsetsRequest(replica_id=-1, isolation_level=0, topics=topics), 6)
    got = answer.topics[0].partitions[0]
    return got.error_code, got.timestamp, got.offset


def metadata_code(address: str, topic: str) -> int:
    topics = [MetadataRequest.MetadataRequestTopic(name=topic)]
    answer = ask(address, MetadataRequest(topics=topics, allow_auto_topic_creation=True), 9)
    return int(answer.topics[0].error_code)


def create_topic(
    address: str,
    name: str,
    partitions: int = 1,
    replicas: int = 1,
    settings: Sequence[tuple[str, str]] = (),
    times: int = 1,
    validate_only: bool = False,
) -> int:
    """Create a topic, named `times` times in one request; return the error code."""
    Topic = CreateTopicsRequest.CreatableTopic
    wanted = Topic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        assignments=[],
        configs=[Topic.CreatableTopicConfig(name=key, value=value) for key, value in settings],
    )
    request = CreateTopicsRequest(topics=[wanted] * times, timeout_ms=5000, validate_only=validate_only)
    return int(ask(address, request, 4).topics[0].error_code)


def join(address: str, group: str, member: str, session_ms: int = 6000, protocols: Sequence[str] = ("range",)) -> Any:
    return ask(address, join_request(group, member, session_ms, protocols), 4)


def join_request(
    group: str, member: str, session_ms: int = 6000, protocols: Sequence[str] = ("range",)
) -> JoinGroupRequest:
    named = [JoinGroupRequest.JoinGroupRequestProtocol(name=name, metadata=SUBSCRIPTION) for name in protocols]
    return JoinGroupRequest(
        group_id=group,
        session_timeout_ms=session_ms,
        rebalance_timeout_ms=1000,
        member_id=member,
        protocol_type="consumer",
        protocols=named,
    )


def sync(address: str, group: str, generation: int, member: str, assignments: Mapping[str, bytes]) -> Any:
    """Send a sync request with the leader's assignments; return the response."""
    Assignment = SyncGroupRequest.SyncGroupRequestAssignment
    assigned = [Assignment(member_id=each, assignment=content) for each, content in assignments.items()]
    request = SyncGroupRequest(group_id=group, generation_id=generation, member_id=member, assignments=assigned)
    return ask(address, request, 2)


def heartbeat(address: str, group: str, generation: int, member: str) -> int:
    request = consumer.HeartbeatRequest(group_id=group, generation_id=generation, member_id=member)
    return int(ask(address, request, 2).error_code)


def leave(address: str, group: str, member: str) -> int:
    return int(ask(address, consumer.LeaveGroupRequest(group_id=group, member_id=member), 2).error_code)


def commit(
    address: str, group: str, topic: str, offset: int, generation: int = -1, member: str = "", partition: int = 0
) -> int:
    """Commit an offset, from outside the group if no generation and member are given; return the error code."""
    Topic = consumer.OffsetCommitRequest.OffsetCommitRequestTopic
    committed = Topic.OffsetCommitRequestPartition(
        partition_index=partition, committed_offset=offset, committed_metadata="by a test"
    )
    request = consumer.OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member,
        topics=[Topic(name=topic, partitions=[committed])],
    )
    return int(ask(address, request, 6).topics[0].partitions[0].error_code)


def committed(address: str, group: str, topics: Mapping[str, list[int]] | None) -> dict[tuple[str, int], int]:
    """Return (topic, partition) -> committed offset; `topics` of None requests all."""
    Topic = OffsetFetchRequest.OffsetFetchRequestTopic
    wanted = None if topics is None else [Topic(name=name, partition_indexes=at) for name, at in topics.items()]
    answer = ask(address, OffsetFetchRequest(group_id=group, topics=wanted), 5)
    return {
        (topic.name, each.partition_index): each.committed_offset
        for topic in answer.topics
        for each in topic.partitions
    }


ANSWER_LIMIT_S = 20.0
SIZE = struct.Struct(">i")


class RawClient:
    """One connection; requests are numbered from 1."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._sent = connection, 0

    def ask(self, request: ApiMessage, version: int) -> Any:
        """Send a request and return the answer, decoded."""
        answer = self.ask_bytes(self.encoded(request, version))
        if answer is None:
            return None
        kind = ResponseClassRegistry._response_class_registry[request.API_KEY]
        return kind.decode(answer, version=version, header=True)

    def encoded(self, request: ApiMessage, version: int) -> bytes:
        self._sent += 1
        request.API_VERSION = version
        request.with_header(correlation_id=self._sent, client_id="raw")
        return bytes(request.encode(header=True))

    def ask_bytes(self, request: bytes) -> bytes | None:
        """Send these bytes after their size, and return the response."""
        return self.ask_as_it_is(SIZE.pack(len(request)) + request)

    def ask_as_it_is(self, sent: bytes) -> bytes | None:
        """Send exactly these bytes, and return the response."""
        try:
            self.send(sent)
            return self._answer()
        except ConnectionError:
            return None

    def send(self, sent: bytes) -> None:
        self._connection.sendall(sent)

    def _answer(self) -> bytes | None:
        size = self._read(SIZE.size)
        return None if size is None else self._read(SIZE.unpack(size)[0])

    def _read(self, size_bytes: int) -> bytes | None:
        read = bytearray()
        while len(read) < size_bytes:
            more = self._connection.recv(size_bytes - len(read))
            if not more:
                return None
            read += more
        return bytes(read)


@contextmanager
def raw_client(address: str) -> Iterator[RawClient]:
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), ANSWER_LIMIT_S) as connection:
        yield RawClient(connection)
