"""A topic that was made can be written to at once, in each of its partitions."""

from streamlab.services.base import Service
from streamlab.sources.topics import new_topic
from tests.streamlab.wire.asking import list_offset

PARTITIONS = 4


def test_each_partition_of_a_new_topic_is_led(kafka: Service) -> None:
    for _ in range(10):  # without waiting for leaders, nine of ten topics have a partition that nobody leads yet
        topic = new_topic(kafka.address, PARTITIONS)
        offsets = [list_offset(kafka.address, topic, -1, number) for number in range(PARTITIONS)]
        assert offsets == [(0, -1, 0)] * PARTITIONS  # no error
