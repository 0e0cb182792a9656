"""The number of bytes in a fetch, and the time that a consumer waits for new records."""

import threading
import time

from streamlab.lab03_log.wire.batches import batch_of
from tests.streamlab.lab03_log.wire.asking import fetch, fetch_all, produce

BATCH = batch_of([(None, bytes(1000))])
SIZE = len(BATCH)


def test_whole_batches_are_returned_up_to_the_limit_of_a_partition(address: str, topic: str) -> None:
    for _ in range(5):
        produce(address, topic, BATCH)

    assert fetch(address, topic, 0).size_bytes == 5 * SIZE
    assert fetch(address, topic, 3).size_bytes == 2 * SIZE


def test_one_batch_is_returned_even_if_it_exceeds_all_limits(address: str, topic: str) -> None:
    produce(address, topic, BATCH)

    assert fetch(address, topic, 0, max_bytes=1, partition_max_bytes=1).size_bytes == SIZE
    assert fetch(address, topic, 0, partition_max_bytes=0).size_bytes == SIZE


def test_partitions_beyond_the_limit_of_a_request_are_left_for_the_next_one(address: str, topic: str) -> None:
    for partition in (0, 1):
        produce(address, topic, BATCH, partition)
        produce(address, topic, BATCH, partition)
    both = fetch_all(address, topic, {1: 0, 0: 0}, max_bytes=2 * SIZE + 10)

    assert [each.size_bytes for each in both] == [2 * SIZE, 0]


def test_a_consumer_at_the_end_gets_a_response_when_a_batch_is_appended(address: str, topic: str) -> None:
    later = threading.Timer(0.2, produce, [address, topic, BATCH, 1])
    began_s = time.monotonic()
    later.start()
    both = fetch_all(address, topic, {0: 0, 1: 0}, max_wait_ms=20_000)

    assert [each.size_bytes for each in both] == [0, SIZE]
    assert 0.1 < time.monotonic() - began_s < 10
    later.join()


def test_a_fetch_waits_until_the_requested_minimum_of_bytes_is_available(address: str, topic: str) -> None:
    produce(address, topic, BATCH)
    later = threading.Timer(0.2, produce, [address, topic, BATCH])
    later.start()

    assert fetch(address, topic, 0, max_wait_ms=20_000, min_bytes=SIZE + 1).size_bytes == 2 * SIZE
    later.join()


def test_after_the_maximum_wait_a_fetch_returns_the_available_bytes(address: str, topic: str) -> None:
    produce(address, topic, BATCH)
    began_s = time.monotonic()

    assert fetch(address, topic, 0, max_wait_ms=300, min_bytes=10 * SIZE).size_bytes == SIZE
    assert fetch(address, topic, 1, max_wait_ms=300).size_bytes == 0
    assert 0.5 < time.monotonic() - began_s < 10


def test_an_error_is_returned_without_waiting(address: str, topic: str) -> None:
    began_s = time.monotonic()

    assert [each.error_code for each in fetch_all(address, topic, {0: 0, 1: 99}, max_wait_ms=20_000)] == [0, 1]
    assert time.monotonic() - began_s < 10
