"""Produce and InitProducerId: each batch is appended to its partition's log byte for byte as the producer sent it.

There are no transactions. A transactional request gets the code of an unauthorized transactional id, the only code that
kafka-python, librdkafka, and Kafka's own client all treat as fatal: librdkafka retries after any other.
"""

import secrets
from typing import TypeAlias

from kafka.errors import InvalidRequiredAcksError, TransactionalIdAuthorizationFailedError
from kafka.protocol.producer import InitProducerIdRequest, InitProducerIdResponse, ProduceRequest, ProduceResponse

from streamlab.lab03_log.wire.batch_validation import ZSTD
from streamlab.lab03_log.wire.broker import NO_ERROR, Broker

Arriving: TypeAlias = ProduceRequest.TopicProduceData.PartitionProduceData
Topic: TypeAlias = ProduceResponse.TopicProduceResponse
Appended: TypeAlias = ProduceResponse.TopicProduceResponse.PartitionProduceResponse
NO_ACKNOWLEDGEMENT, BY_THE_LEADER, BY_ALL = 0, 1, -1
PRODUCER_ID_BITS = 62
ZSTD_FROM_VERSION = 7  # KIP-110


async def produce(broker: Broker, request: ProduceRequest) -> ProduceResponse | None:
    """Append each partition's batch; return None if the client wants no acknowledgement."""
    rejected = _rejection(request)
    newest_codec = ZSTD if request.API_VERSION >= ZSTD_FROM_VERSION else ZSTD - 1
    topics = [
        Topic(
            name=topic.name,
            partition_responses=[_appended(broker, topic.name, each, rejected, newest_codec) for each in partitions],
        )
        for topic in request.topic_data
        if (partitions := topic.partition_data) is not None
    ]
    return None if request.acks == NO_ACKNOWLEDGEMENT else ProduceResponse(responses=topics)


async def init_producer_id(broker: Broker, request: InitProducerIdRequest) -> InitProducerIdResponse:
    """Return an id that no other producer has. It is random, so the server need not store ids across restarts."""
    if request.transactional_id is not None:
        fatal = TransactionalIdAuthorizationFailedError.errno
        return InitProducerIdResponse(error_code=fatal, producer_id=-1, producer_epoch=-1)
    return InitProducerIdResponse(error_code=NO_ERROR, producer_id=secrets.randbits(PRODUCER_ID_BITS), producer_epoch=0)


def _rejection(request: ProduceRequest) -> Exception | None:
    """Return the error of an invalid request, or None."""
    if request.acks not in (NO_ACKNOWLEDGEMENT, BY_THE_LEADER, BY_ALL):
        return InvalidRequiredAcksError(f"expected acks 0, 1 or -1, got {request.acks}")
    if request.transactional_id is not None:
        return TransactionalIdAuthorizationFailedError("this server has no transactions")
    return None


def _appended(
    broker: Broker, topic: str, arriving: Arriving, rejected: Exception | None, newest_codec: int
) -> Appended:
    try:
        if rejected:
            raise rejected
        partition = broker.topics.partition(topic, arriving.index)
        offset = partition.append(arriving.records, newest_codec)
        start_offset = partition.start_offset
    except Exception as problem:  # a learner's log may raise anything
        return Appended(index=arriving.index, error_code=broker.code_of(problem), base_offset=-1)
    return Appended(index=arriving.index, error_code=NO_ERROR, base_offset=offset, log_start_offset=start_offset)
