"""OffsetCommit and OffsetFetch: a group stores how far it has read and asks for it; offset_store.py has the offsets."""

from collections.abc import Iterable
from typing import TypeAlias

from kafka.errors import BrokerResponseError, IllegalGenerationError
from kafka.protocol.consumer import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetFetchRequest,
    OffsetFetchResponse,
)

from streamlab.lab03_log.wire.broker import NO_ERROR, Broker
from streamlab.lab03_log.wire.offset_store import NOTHING, Committed, TopicPartition

CommitTopic: TypeAlias = OffsetCommitResponse.OffsetCommitResponseTopic
CommitPartition: TypeAlias = OffsetCommitResponse.OffsetCommitResponseTopic.OffsetCommitResponsePartition
FetchTopic: TypeAlias = OffsetFetchResponse.OffsetFetchResponseTopic
FetchPartition: TypeAlias = OffsetFetchResponse.OffsetFetchResponseTopic.OffsetFetchResponsePartition


async def offset_commit(broker: Broker, request: OffsetCommitRequest) -> OffsetCommitResponse:
    """Store the offsets of all existing partitions; a partition with an error is not stored."""
    codes = {(topic.name, each.partition_index): NO_ERROR for topic in request.topics for each in topic.partitions}
    try:
        _may_commit(broker, request)
        offsets = dict(_offsets(request))
        unknown = {place: code for place in offsets if (code := _unknown(broker, place))}
        broker.committed.commit(request.group_id, {at: each for at, each in offsets.items() if at not in unknown})
        codes.update(unknown)
    except Exception as problem:  # a learner's log may raise anything
        codes = dict.fromkeys(codes, broker.code_of(problem))
    topics = [
        CommitTopic(name=name, partitions=[_commit_answer(at, codes[name, at]) for at in indexes])
        for name, indexes in _by_topic(codes)
    ]
    return OffsetCommitResponse(topics=topics)


async def offset_fetch(broker: Broker, request: OffsetFetchRequest) -> OffsetFetchResponse:
    """Return the group's committed offsets for the requested partitions; None requests all that it has."""
    committed = broker.committed.of_group(request.group_id)
    places = [(topic.name, at) for topic in request.topics or [] for at in topic.partition_indexes]
    topics = [
        FetchTopic(name=name, partitions=[_fetch_answer(at, committed.get((name, at), NOTHING)) for at in indexes])
        for name, indexes in _by_topic(committed if request.topics is None else places)
    ]
    return OffsetFetchResponse(topics=topics, error_code=NO_ERROR)


def _may_commit(broker: Broker, request: OffsetCommitRequest) -> None:
    """Raise the protocol's error unless the commit is allowed.

    A consumer that assigns its own partitions commits for a group without members; this commit creates the group.
    """
    generation = request.generation_id_or_member_epoch
    if generation >= 0 and broker.groups.find(request.group_id) is None:
        raise IllegalGenerationError(f"there is no group {request.group_id}, got generation {generation}")
    broker.groups.made(request.group_id).may_commit(request.member_id, generation)


def _offsets(request: OffsetCommitRequest) -> Iterable[tuple[TopicPartition, Committed]]:
    for topic in request.topics:
        for each in topic.partitions:
            yield (topic.name, each.partition_index), Committed(each.committed_offset, each.committed_metadata or "")


def _commit_answer(partition: int, code: int) -> CommitPartition:
    return CommitPartition(partition_index=partition, error_code=code)


def _fetch_answer(partition: int, found: Committed) -> FetchPartition:
    return FetchPartition(
        partition_index=partition, committed_offset=found.offset, metadata=found.metadata, error_code=NO_ERROR
    )


def _unknown(broker: Broker, place: TopicPartition) -> int:
    try:
        broker.topics.partition(*place)
    except BrokerResponseError as problem:
        return broker.code_of(problem)
    return NO_ERROR


def _by_topic(places: Iterable[TopicPartition]) -> list[tuple[str, list[int]]]:
    """Return the partitions of each topic, in the order of `places`.

    Example: [("a", 1), ("b", 0), ("a", 0)] -> [("a", [1, 0]), ("b", [0])]
    """
    topics: dict[str, list[int]] = {}
    for name, partition in places:
        topics.setdefault(name, []).append(partition)
    return list(topics.items())
