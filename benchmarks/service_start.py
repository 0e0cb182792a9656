"""How long a service takes until it serves: from nothing to the first acknowledged record, and to its end.

`python benchmarks/service_start.py [--runs N] [--limit SECONDS]` prints each run and the medians with their 95 %
bootstrap intervals; it leaves with 1 if Kafka's median to the first record is over the limit. The jars are fetched
before, if they were not; each run has a new data folder, so that formatting it counts. Keeps out: throughput.
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

WANTED_S = 10.0


def main() -> int:
    """Measure and print; the exit code says whether Kafka is quick enough."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=WANTED_S)
    chosen = parser.parse_args()
    Kafka.fetch(lambda text: print(text, flush=True))
    medians = {name: _measured(name, chosen.runs) for name in FIRST_USE}
    return 0 if medians["kafka"] <= chosen.limit else 1


def _measured(name: str, runs: int) -> float:
    """The median of the seconds from nothing to the first answer that a client gets."""
    seconds = []
    for at in range(runs):
        begun_s = time.perf_counter()
        with running(name) as service:
            up_s = time.perf_counter() - begun_s
            FIRST_USE[name](service)
            seconds.append(time.perf_counter() - begun_s)
            memory_mb = service.memory_mb
            ending_s = time.perf_counter()
        ended_s = time.perf_counter() - ending_s
        figures = f"up {up_s:.2f} s, first use {seconds[-1]:.2f} s, {memory_mb} MB, gone in {ended_s:.2f} s"
        print(f"{name} run {at + 1}: {figures}", flush=True)
    median, (low, high) = statistics.median(seconds), interval(seconds)
    print(f"{name}: start to first use {median:.2f} s (95 % interval {low:.2f} to {high:.2f}, {runs} runs)")
    return median


def produce_one(service: Service) -> None:
    """A topic and one record that is acknowledged."""
    admin = KafkaAdminClient(bootstrap_servers=service.address)
    admin.create_topics({"first": {"num_partitions": 1}}, wait_for_metadata=True)
    admin.close()
    producer = KafkaProducer(bootstrap_servers=service.address, acks="all")
    producer.send("first", b"record", partition=0).get(timeout=30)
    producer.close()


def create_one(service: Service) -> None:
    """A session and one node."""
    client = KazooClient(hosts=service.address)
    client.start(timeout=30)
    client.create("/first", b"node")
    client.stop()
    client.close()


FIRST_USE = {"kafka": produce_one, "zookeeper": create_one}

if __name__ == "__main__":
    sys.exit(main())
