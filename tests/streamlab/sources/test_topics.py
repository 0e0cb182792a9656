"""Every partition of a new topic can be written to at once."""

from streamlab.services.base import Service
from streamlab.sources.topics import new_topic
from tests.streamlab.lab03_log.wire.asking import list_offset

PARTITIONS = 4


def test_each_partition_of_a_new_topic_has_a_leader(kafka: Service) -> None:
    for _ in range(10):  # without waiting, nine of ten topics still have a partition without a leader
        topic = new_topic(kafka.address, PARTITIONS)
        offsets = [list_offset(kafka.address, topic, -1, number) for number in range(PARTITIONS)]
        assert offsets == [(0, -1, 0)] * PARTITIONS  # no error
