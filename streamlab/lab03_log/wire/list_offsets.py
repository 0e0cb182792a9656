"""ListOffsets: the earliest offset, the latest offset, or the first record that is not older than a timestamp.

Kafka has a time index; this server scans the headers of the batches instead. It decodes records only if a batch has
older records before the one that is searched.
"""

import asyncio
from typing import TypeAlias

from kafka.errors import UnsupportedVersionError
from kafka.protocol.consumer import ListOffsetsRequest, ListOffsetsResponse
from kafka.record.default_records import DefaultRecordBatch

from streamlab.lab03_log.wire.batches import HEADER_BYTES, records_of
from streamlab.lab03_log.wire.broker import NO_ERROR, Broker
from streamlab.lab03_log.wire.partition import Partition

Wanted: TypeAlias = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition
Topic: TypeAlias = ListOffsetsResponse.ListOffsetsTopicResponse
Found: TypeAlias = ListOffsetsResponse.ListOffsetsTopicResponse.ListOffsetsPartitionResponse
LATEST, EARLIEST = -1, -2
NOWHERE = (-1, -1)  # timestamp, offset


async def list_offsets(broker: Broker, request: ListOffsetsRequest) -> ListOffsetsResponse:
    """Return the offset of each partition, and for a search by time the timestamp."""
    topics = [
        Topic(name=topic.name, partitions=[await _found(broker, topic.name, each) for each in topic.partitions])
        for topic in request.topics
    ]
    return ListOffsetsResponse(topics=topics)


async def _found(broker: Broker, topic: str, wanted: Wanted) -> Found:
    try:
        partition = broker.topics.partition(topic, wanted.partition_index)
        timestamp, offset = await _timestamp_and_offset(partition, wanted.timestamp)
    except Exception as problem:  # a learner's log may raise anything
        return Found(partition_index=wanted.partition_index, error_code=broker.code_of(problem))
    return Found(partition_index=wanted.partition_index, error_code=NO_ERROR, timestamp=timestamp, offset=offset)


async def _timestamp_and_offset(partition: Partition, wanted: int) -> tuple[int, int]:
    if wanted == LATEST:
        return -1, partition.end_offset
    if wanted == EARLIEST:
        return -1, partition.start_offset
    if wanted < 0:
        raise UnsupportedVersionError(f"expected the timestamp {LATEST}, {EARLIEST}, or 0 and more, got {wanted}")
    for batches in partition.pieces_from(partition.start_offset):
        for batch in batches:
            found = await _first_not_older(batch.data, wanted)
            if found != NOWHERE:
                return found
        await asyncio.sleep(0)  # let other clients be served
    return NOWHERE


async def _first_not_older(batch: bytes, wanted_ms: int) -> tuple[int, int]:
    header = DefaultRecordBatch(batch[:HEADER_BYTES])
    if header.max_timestamp < wanted_ms:
        return NOWHERE
    if header.first_timestamp >= wanted_ms:
        return header.first_timestamp, header.base_offset
    records = await asyncio.to_thread(records_of, batch)  # it may wait for Java
    return next(((each.timestamp_ms, each.offset) for each in records if each.timestamp_ms >= wanted_ms), NOWHERE)
