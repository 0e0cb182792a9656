"""Compare kafka-python's rates through the wire server and Lab 3's log with those through Apache Kafka.

    .venv/bin/python benchmarks/lab03_log_wire_rate.py [--turns 9] [--records 100000] [--least 0.5]

The client runs in this process, each server in its own. The two brokers take turns, in alternating order. Records have
100 bytes and no key; they go to the four partitions of a new topic each time, with acks=all, and the consumed ones are
counted. Prints the rates of each turn and, for producing and consuming, the median of the turns' ratios with its 95 %
bootstrap interval; exits with 1 if one is under `--least`. Does not measure the log alone; `log_append.py` does.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intervals import interval  # noqa: E402
from kafka import KafkaConsumer, KafkaProducer, TopicPartition  # noqa: E402

from streamlab.lab03_log.wire.server import WireServer  # noqa: E402
from streamlab.notebooks.labfile import read_lab  # noqa: E402
from streamlab.notebooks.loader import load_cells  # noqa: E402
from streamlab.services import running  # noqa: E402
from streamlab.sources.topics import make_topics  # noqa: E402

LAB = "lab03_log"
PARTITIONS, RECORD_BYTES = 4, 100
WARM_UP_RECORDS = 5_000
LIMIT_S = 120.0
Rates = tuple[float, float]  # records/s: produced, consumed


def main() -> int:
    """Measure and print; return 0 if both ratios reach `--least`, otherwise 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--least", type=float, default=0.5)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return _serve(options.serve)
    with wire_server() as ours, running("kafka") as theirs:
        return _compare({"wire": ours, "kafka": theirs.address}, options.turns, options.records, options.least)


def _serve(folder: Path) -> int:
    """Run the wire server: print its address, and serve until stdin is closed."""
    log = load_cells(LAB, read_lab(ROOT / "solutions" / LAB / f"{LAB}.py").cells, module_name="reference").PartitionLog
    with WireServer(log, folder) as server:
        print(server.address, flush=True)
        sys.stdin.read()
    return 0


@contextmanager
def wire_server() -> Iterator[str]:
    """Start a wire server with an empty folder in a separate process, and yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", folder]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            yield process.stdout.readline().strip()
            process.stdin.close()


def _compare(addresses: dict[str, str], turns: int, records: int, least: float) -> int:
    for address in addresses.values():
        _rates(address, "warm-up", WARM_UP_RECORDS)
    rates: dict[str, list[Rates]] = {name: [] for name in addresses}
    for turn in range(turns):
        for name in addresses if turn % 2 else reversed(addresses):
            rates[name].append(_rates(addresses[name], f"turn-{turn}", records))
        print(f"turn {turn + 1}: " + ", ".join(_rates_text(name, rates[name][-1]) for name in addresses), flush=True)
    medians = [_ratio(direction, at, rates) for at, direction in enumerate(("produced", "consumed"))]
    return 0 if min(medians) >= least else 1


def _rates_text(name: str, rates: Rates) -> str:
    return f"{name} produced {rates[0]:,.0f}/s, consumed {rates[1]:,.0f}/s"


def _ratio(direction: str, at: int, rates: dict[str, list[Rates]]) -> float:
    """Print the ratio of the two brokers' rates in one direction; return its median."""
    ratios = [ours[at] / theirs[at] for ours, theirs in zip(rates["wire"], rates["kafka"], strict=True)]
    low, high = interval(ratios)
    print(f"{direction}: {median(ratios):.2f} times the rate of Apache Kafka (95 % interval {low:.2f} to {high:.2f})")
    return median(ratios)


def _rates(address: str, topic: str, records: int) -> Rates:
    make_topics(address, {topic: PARTITIONS})
    return records / _produce(address, topic, records), records / _consume(address, topic, records)


def _produce(address: str, topic: str, records: int) -> float:
    """Produce the records; return the seconds from the first record to the last acknowledgement."""
    producer, value = KafkaProducer(bootstrap_servers=address, acks="all"), os.urandom(RECORD_BYTES)
    producer.partitions_for(topic)
    began_s = time.perf_counter()
    sent = [producer.send(topic, value) for _ in range(records)]
    producer.flush(timeout=LIMIT_S)
    seconds = time.perf_counter() - began_s
    assert all(each.succeeded() for each in sent), "a record was not acknowledged"
    producer.close()
    return seconds


def _consume(address: str, topic: str, records: int) -> float:
    """Consume the records; return the seconds from the first request to the last record."""
    consumer = KafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest")
    consumer.assign([TopicPartition(topic, partition) for partition in range(PARTITIONS)])
    began_s, count = time.perf_counter(), 0
    while count < records:
        assert time.perf_counter() - began_s < LIMIT_S, f"{count} of {records} records after {LIMIT_S:g} s"
        count += sum(map(len, consumer.poll(timeout_ms=200).values()))
    seconds = time.perf_counter() - began_s
    consumer.close()
    assert count == records, f"{count} records consumed, {records} produced"
    return seconds


if __name__ == "__main__":
    sys.exit(main())
