"""Fetch: consumers read batches as they are stored in the log, and wait if too few bytes are available.

A request says how long the consumer waits and for how many bytes (KIP-74 defines the limits). A request at the end of
a log is answered when a producer appends a batch.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

from kafka.errors import BrokerResponseError, FetchSessionIdNotFoundError
from kafka.protocol.consumer import FetchRequest, FetchResponse

from streamlab.lab03_log.wire.broker import NO_ERROR, Broker
from streamlab.lab03_log.wire.partition import Partition, growth_of

Wanted: TypeAlias = FetchRequest.FetchTopic.FetchPartition
Topic: TypeAlias = FetchResponse.FetchableTopicResponse
Data: TypeAlias = FetchResponse.FetchableTopicResponse.PartitionData


async def fetch(broker: Broker, request: FetchRequest) -> FetchResponse:
    """Return batches from the requested offsets on.

    The answer comes as soon as `min_bytes` are available, a partition has an error, or `max_wait_ms` have passed.
    """
    if request.session_id:  # the server never opens a fetch session
        return FetchResponse(error_code=FetchSessionIdNotFoundError.errno, responses=[])
    loop = asyncio.get_running_loop()
    until_s = loop.time() + request.max_wait_ms / 1000
    with growth_of(_partitions(broker, request)) as grown:
        while True:
            answer = _FetchAnswer(broker, request.max_bytes)
            topics = [answer.topic(each) for each in request.topics]
            left_s = until_s - loop.time()
            if answer.size_bytes >= request.min_bytes or answer.has_error or left_s <= 0:
                return FetchResponse(error_code=NO_ERROR, responses=topics)
            grown.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(grown.wait(), left_s)


def _partitions(broker: Broker, request: FetchRequest) -> Iterator[Partition]:
    for topic in request.topics:
        for wanted in topic.partitions:
            with suppress(BrokerResponseError):
                yield broker.topics.partition(topic.topic, wanted.partition)


class _FetchAnswer:
    """One pass over the partitions; the first one with data returns at least one batch, regardless of the limits."""

    def __init__(self, broker: Broker, max_bytes: int) -> None:
        self._broker, self._max_bytes = broker, max_bytes
        self.size_bytes, self.has_error = 0, False

    def topic(self, wanted: FetchRequest.FetchTopic) -> Topic:
        return Topic(topic=wanted.topic, partitions=[self._partition(wanted.topic, each) for each in wanted.partitions])

    def _partition(self, topic: str, wanted: Wanted) -> Data:
        try:
            partition = self._broker.topics.partition(topic, wanted.partition)
            records = self._records(partition, wanted.fetch_offset, wanted.partition_max_bytes)
            start, end = partition.start_offset, partition.end_offset
        except Exception as problem:  # a learner's log may raise anything
            return self._error(wanted.partition, problem)
        self.size_bytes += len(records)
        return Data(
            partition_index=wanted.partition,
            error_code=NO_ERROR,
            high_watermark=end,
            last_stable_offset=end,
            log_start_offset=start,
            records=records,
        )

    def _records(self, partition: Partition, offset: int, max_bytes: int) -> bytes:
        left = self._max_bytes - self.size_bytes
        if left <= 0 and self.size_bytes:
            return b""
        batches = partition.read(offset, max(1, min(max_bytes, left)))
        if self.size_bytes and sum(len(each.data) for each in batches) > left:
            return b""
        return b"".join([each.data for each in batches])

    def _error(self, index: int, problem: Exception) -> Data:
        self.has_error = True
        return Data(partition_index=index, error_code=self._broker.code_of(problem), high_watermark=-1, records=b"")
