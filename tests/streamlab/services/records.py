"""Creates topics, and writes and reads their records, for the tests of Kafka."""

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from streamlab.sources.topics import make_topics


def make_topic(address: str, topic: str, partitions: int = 1) -> None:
    make_topics(address, {topic: partitions})


def produce(address: str, topic: str, values: list[bytes]) -> None:
    """Write all values to partition 0; return when the broker has acknowledged each of them."""
    producer = KafkaProducer(bootstrap_servers=address, acks="all")
    for sent in [producer.send(topic, value, partition=0) for value in values]:
        sent.get(timeout=30)
    producer.close()


def consume(address: str, topic: str) -> list[bytes]:
    """Return all values of partition 0, from the first to the current last one."""
    partition = TopicPartition(topic, 0)
    consumer = KafkaConsumer(bootstrap_servers=address, consumer_timeout_ms=20_000)
    consumer.assign([partition])
    consumer.seek_to_beginning(partition)
    end = consumer.end_offsets([partition])[partition]
    values: list[bytes] = []
    while len(values) < end and (record := next(consumer, None)) is not None:
        values.append(record.value)
    consumer.close()
    return values
