"""Write numbers to a broker and have Spark read them on both workers: the sum is exact, in a batch and in a stream.

The brokers are the environment's Kafka, and Lab 3's log in a wire server in the container `lab`.
"""

import socket
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql.functions import udf

from streamlab import service, session, stage
from streamlab.lab03_log.wire.server import WireServer
from streamlab.sources.topics import new_topic, send

COUNT, PARTITIONS = 20_000, 4
EXPECTED = COUNT * (COUNT - 1) // 2
TOTAL = "sum(cast(cast(value as string) as bigint)) as total"

spark = session("ci-kafka", kafka=True)
host = udf(lambda _: socket.gethostname())


def read(name: str, address: str) -> None:
    """Fill a new topic of this broker, and read it in a batch and in a stream."""
    topic = new_topic(address, PARTITIONS)
    now_ms = time.time_ns() // 1_000_000  # brokers delete records that are older than a week
    send(address, topic, [(None, str(number).encode(), now_ms) for number in range(COUNT)])
    source = {"kafka.bootstrap.servers": address, "subscribe": topic, "startingOffsets": "earliest"}
    batch = spark.read.format("kafka").options(**source).load()
    must_be_exact(f"{name}, a batch", batch.selectExpr(TOTAL).first()["total"])
    hosts = {row["host"] for row in batch.select(host("value").alias("host")).distinct().collect()}
    assert len(hosts) == 2, f"expected two workers to read from {name}, got {hosts}"
    with TemporaryDirectory() as saved:
        totals = spark.readStream.format("kafka").options(**source).load().selectExpr(TOTAL)
        query = totals.writeStream.format("memory").queryName("totals").outputMode("complete")
        running = query.option("checkpointLocation", saved).start()
        running.processAllAvailable()
        must_be_exact(f"{name}, a stream", spark.table("totals").first()["total"])
        running.stop()
    print(f"{name}: {COUNT} records read on {' and '.join(sorted(hosts))}, sums exact in a batch and in a stream")


def must_be_exact(where: str, got: int) -> None:
    """Raise AssertionError unless `got` is the sum of all written numbers."""
    assert got == EXPECTED, f"{where}: expected {EXPECTED}, got {got}"


read("Kafka", service("kafka").address)
with TemporaryDirectory() as folder, WireServer(stage("lab03_log").PartitionLog, Path(folder)) as own:
    read("Lab 3's log", own.address)
