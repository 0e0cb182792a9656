"""Sends one request on its own connection, and returns the parts of the response that the tests need."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kafka.protocol.admin import CreateTopicsRequest
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer import (
    FetchRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    ListOffsetsRequest,
    OffsetCommitRequest,
    OffsetFetchRequest,
    SyncGroupRequest,
)
from kafka.protocol.metadata import MetadataRequest
from kafka.protocol.producer import InitProducerIdRequest, ProduceRequest

from tests.streamlab.lab03_log.wire.raw import raw_client

SUBSCRIPTION = struct.pack(">hii", 0, 0, -1)  # of a consumer: version 0, no topics, no user data


class Fetched(NamedTuple):
    """The result of a fetch from one partition."""

    error_code: int
    high_watermark: int
    size_bytes: int


def ask(address: str, request: ApiMessage, version: int) -> Any:
    """Return the response to one request."""
    with raw_client(address) as client:
        return client.ask(request, version)


def produce(address: str, topic: str, records: bytes | None, partition: int = 0, acks: int = -1) -> tuple[int, int]:
    """Append to a partition; return (error code, base offset)."""
    answer = ask(address, produce_request(topic, records, partition, acks), 9)
    got = answer.responses[0].partition_responses[0]
    return got.error_code, got.base_offset


def produce_request(topic: str, records: bytes | None, partition: int = 0, acks: int = -1) -> ProduceRequest:
    """Return a request to append to one partition."""
    Topic = ProduceRequest.TopicProduceData
    data = Topic(name=topic, partition_data=[Topic.PartitionProduceData(index=partition, records=records)])
    return ProduceRequest(transactional_id=None, acks=acks, timeout_ms=5000, topic_data=[data])


def new_producer_id(address: str) -> int:
    """Return a new producer id, as an idempotent producer requests it."""
    answer = ask(address, InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000), 4)
    assert answer.error_code == 0
    return int(answer.producer_id)


def fetch(address: str, topic: str, offset: int, partition: int = 0, **limits: int) -> Fetched:
    """Fetch from one partition."""
    return fetch_all(address, topic, {partition: offset}, **limits)[0]


def fetch_all(address: str, topic: str, offsets: Mapping[int, int], **limits: int) -> list[Fetched]:
    """Fetch from several partitions of a topic."""
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
    """Return a fetch request for several partitions of a topic."""
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
    Topic = ListOffsetsRequest.ListOffsetsTopic
    wanted = Topic.ListOffsetsPartition(partition_index=partition, current_leader_epoch=-1, timestamp=timestamp)
    topics = [Topic(name=topic, partitions=[wanted])]
    answer = ask(address, ListOffsetsRequest(replica_id=-1, isolation_level=0, topics=topics), 6)
    got = answer.topics[0].partitions[0]
    return got.error_code, got.timestamp, got.offset


def metadata_code(address: str, topic: str) -> int:
    """Return the error code of a metadata request for one topic."""
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
    """Join a group; return the response."""
    return ask(address, join_request(group, member, session_ms, protocols), 4)


def join_request(
    group: str, member: str, session_ms: int = 6000, protocols: Sequence[str] = ("range",)
) -> JoinGroupRequest:
    """Return the join request of a consumer."""
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
    """Send a heartbeat; return the error code."""
    request = HeartbeatRequest(group_id=group, generation_id=generation, member_id=member)
    return int(ask(address, request, 2).error_code)


def leave(address: str, group: str, member: str) -> int:
    """Leave a group; return the error code."""
    return int(ask(address, LeaveGroupRequest(group_id=group, member_id=member), 2).error_code)


def commit(
    address: str, group: str, topic: str, offset: int, generation: int = -1, member: str = "", partition: int = 0
) -> int:
    """Commit an offset, from outside the group if no generation and member are given; return the error code."""
    Topic = OffsetCommitRequest.OffsetCommitRequestTopic
    committed = Topic.OffsetCommitRequestPartition(
        partition_index=partition, committed_offset=offset, committed_metadata="by a test"
    )
    request = OffsetCommitRequest(
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
