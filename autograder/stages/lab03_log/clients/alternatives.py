"""Another correct solution of `TopicClient`; it must get full marks."""

from kafka import KafkaConsumer, KafkaProducer

from autograder.checks.mutant_markers import alternative


# Waits for each record, iterates instead of polling, and commits by itself.
@alternative("iterates")
class TopicClient:
    def __init__(self, address, topic):
        self.address, self.topic = address, topic

    def publish(self, records):
        producer = KafkaProducer(bootstrap_servers=self.address)
        for key, value in records:
            producer.send(self.topic, key=key, value=value).get(timeout=30)
        producer.close()

    def read(self, group, handle, is_over):
        consumer = KafkaConsumer(
            bootstrap_servers=self.address,
            group_id=group,
            auto_offset_reset="earliest",
            heartbeat_interval_ms=200,
            consumer_timeout_ms=200,
        )
        consumer.partitions_for_topic(self.topic)
        consumer.subscribe([self.topic])
        while not is_over():
            for record in consumer:
                handle(record.partition, record.value)
                if is_over():
                    break
        consumer.close()
