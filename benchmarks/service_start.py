"""Measure how long Kafka and ZooKeeper take to start, from nothing to the first acknowledged write, and to stop.

`python benchmarks/service_start.py [--runs N] [--limit SECONDS]` prints each run and the medians with their 95 %
bootstrap intervals; it exits with 1 if Kafka's median to the first record is over the limit. Missing jars are fetched
first; each run has a new data folder, so the time to format it counts.
"""

import argparse
import statistics
import sys
import time

from intervals import interval
from kafka import KafkaAdminClient, KafkaProducer
from kazoo.client import KazooClient

from streamlab.services import running
from streamlab.services.base import Service
from streamlab.services.kafka import Kafka

GOAL_S = 10.0


def main() -> int:
    """Measure and print; return 0 if Kafka's median is within the limit, otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=GOAL_S)
    options = parser.parse_args()
    Kafka.fetch(lambda text: print(text, flush=True))
    medians = {name: _measured(name, options.runs) for name in FIRST_USE}
    return 0 if medians["kafka"] <= options.limit else 1


def _measured(name: str, runs: int) -> float:
    """Return the median of the seconds from nothing to the first answer to a client."""
    seconds = []
    for at in range(runs):
        began_s = time.perf_counter()
        with running(name) as service:
            up_s = time.perf_counter() - began_s
            FIRST_USE[name](service)
            seconds.append(time.perf_counter() - began_s)
            memory_mb = service.memory_mb
            stop_began_s = time.perf_counter()
        stopped_s = time.perf_counter() - stop_began_s
        figures = f"up {up_s:.2f} s, first use {seconds[-1]:.2f} s, {memory_mb} MB, stopped in {stopped_s:.2f} s"
        print(f"{name} run {at + 1}: {figures}", flush=True)
    median, (low, high) = statistics.median(seconds), interval(seconds)
    print(f"{name}: start to first use {median:.2f} s (95 % interval {low:.2f} to {high:.2f}, {runs} runs)")
    return median


def produce_one(service: Service) -> None:
    """Create a topic and wait for the acknowledgement of one record."""
    admin = KafkaAdminClient(bootstrap_servers=service.address)
    admin.create_topics({"first": {"num_partitions": 1}}, wait_for_metadata=True)
    admin.close()
    producer = KafkaProducer(bootstrap_servers=service.address, acks="all")
    producer.send("first", b"record", partition=0).get(timeout=30)
    producer.close()


def create_one(service: Service) -> None:
    """Open a session and create one node."""
    client = KazooClient(hosts=service.address)
    client.start(timeout=30)
    client.create("/first", b"node")
    client.stop()
    client.close()


FIRST_USE = {"kafka": produce_one, "zookeeper": create_one}

if __name__ == "__main__":
    sys.exit(main())
