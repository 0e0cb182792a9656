"""Write numbers to Kafka and have Spark read them on both workers: the sum is exact, in a batch and in a stream."""

import socket
import time
from tempfile import TemporaryDirectory

from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import NewTopic
from pyspark.sql.functions import udf

from streamlab import service, session

COUNT, PARTITIONS = 20_000, 4
EXPECTED = COUNT * (COUNT - 1) // 2

address = service("kafka").address
topic = f"numbers-{time.time_ns()}"
KafkaAdminClient(bootstrap_servers=address).create_topics([NewTopic(topic, PARTITIONS, 1)])
producer = KafkaProducer(bootstrap_servers=address)
for number in range(COUNT):
    producer.send(topic, str(number).encode(), partition=number % PARTITIONS)
producer.flush()

spark = session("ci-kafka", kafka=True)
source = {"kafka.bootstrap.servers": address, "subscribe": topic, "startingOffsets": "earliest"}
total = "sum(cast(cast(value as string) as bigint)) as total"

batch = spark.read.format("kafka").options(**source).load()
got = batch.selectExpr(total).first()["total"]
assert got == EXPECTED, f"a batch: expected {EXPECTED}, got {got}"

host = udf(lambda _: socket.gethostname())
hosts = {row["host"] for row in batch.select(host("value").alias("host")).distinct().collect()}
assert len(hosts) == 2, f"expected two workers to read, got {hosts}"

with TemporaryDirectory() as saved:
    totals = spark.readStream.format("kafka").options(**source).load().selectExpr(total)
    query = totals.writeStream.format("memory").queryName("totals").outputMode("complete")
    running = query.option("checkpointLocation", saved).start()
    running.processAllAvailable()
    got = spark.table("totals").first()["total"]
    running.stop()
assert got == EXPECTED, f"a stream: expected {EXPECTED}, got {got}"
print(f"kafka: {COUNT} records read on {', '.join(sorted(hosts))}, sums exact in a batch and in a stream")
