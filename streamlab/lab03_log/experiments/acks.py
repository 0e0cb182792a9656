"""What acks promises: the leader of three real brokers is killed while a producer sends (Lab 3).

For each value of acks, a producer sends numbered records to a topic with three replicas. After some acknowledgements
the leader is killed (SIGKILL); the producer goes on until as many more are acknowledged. Then the topic is read. A
record is lost if it was acknowledged and cannot be read.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from streamlab.experiments.waiting import wait_until
from streamlab.lab03_log.experiments.three_brokers import BROKERS, Member, start_together
from streamlab.progress import OnProgress, silent
from streamlab.quiet_log import quiet_log
from streamlab.sources.topics import send
from streamlab.views.plots import Picture, draw_lines, table

ACKS: tuple[int | str, ...] = (0, 1, "all")
BEFORE, PER_S, LIMIT_S, BIN_S = 4000, 2000, 120.0, 0.1
LAST = b"the last one"
RECORDED = Path(__file__).resolve().parents[3] / "datasets" / "lab03_log" / "acks" / "three_brokers.json"


@dataclass(frozen=True)
class AcksRun:
    """The records of one run. `lost_at` counts the lost ones by their acknowledgement: [s after the kill, count]."""

    acks: str
    sent: int
    acknowledged: int
    lost: int
    repeated: int
    lost_at: list[list[float]]


class _Producer:
    """Sends numbers at a steady rate, and notes when each one is acknowledged."""

    def __init__(self, addresses: Sequence[str], topic: str, acks: int | str) -> None:
        from kafka import KafkaProducer

        settings = {"acks": acks, "enable_idempotence": False, "retry_backoff_ms": 50, "linger_ms": 5}
        self._producer = KafkaProducer(bootstrap_servers=list(addresses), **settings)
        self._topic, self.sent = topic, 0
        self.acknowledged_s: dict[int, float] = {}  # number -> when

    def send_until(self, is_over: Callable[[], bool], what: str) -> None:
        """Send until `is_over()`; raises TimeoutError, which names `what` did not happen, after `LIMIT_S`."""
        began_s, first = time.monotonic(), self.sent
        while not is_over():
            waited_s = time.monotonic() - began_s
            if waited_s > LIMIT_S:
                raise TimeoutError(f"{what} within {LIMIT_S:.0f} s")
            while self.sent - first < waited_s * PER_S:
                future = self._producer.send(self._topic, b"%d" % self.sent)
                future.add_callback(partial(self._note, self.sent))
                self.sent += 1
            time.sleep(0.001)

    def close(self) -> None:
        """Send what waits, and close."""
        self._producer.flush(LIMIT_S)
        self._producer.close()

    def _note(self, number: int, _: object) -> None:
        self.acknowledged_s[number] = time.monotonic()


def measure(members: Sequence[Member], on_progress: OnProgress = silent) -> Iterator[AcksRun]:
    """Yield a run for each value of acks. A broker that was killed is started again for the next one."""
    for acks in ACKS:
        on_progress(f"acks={acks}")
        with quiet_log("kafka"):
            yield _run(members, acks)


def _run(members: Sequence[Member], acks: int | str) -> AcksRun:
    topic, addresses = f"acks-{acks}", [member.address for member in members]
    leader = members[_leader_of_new_topic(addresses, topic)]
    producer = _Producer(addresses, topic, acks)
    with closing(producer):
        producer.send_until(lambda: len(producer.acknowledged_s) >= BEFORE, f"no {BEFORE} acknowledgements")
        kill = threading.Thread(target=leader.kill)  # the producer goes on meanwhile
        killed_s = time.monotonic()
        kill.start()
        enough = len(producer.acknowledged_s) + BEFORE
        producer.send_until(lambda: len(producer.acknowledged_s) >= enough, "no new leader")
        kill.join()
    alive = next(member.address for member in members if member is not leader)
    send(alive, topic, [(None, LAST, time.time_ns() // 1_000_000)])  # acks=all: now all before it can be read
    left = Counter(_read(alive, topic))
    start_together([leader])
    return _compared(str(acks), producer.sent, producer.acknowledged_s, left, killed_s)


def _compared(
    acks: str, sent: int, acknowledged_s: Mapping[int, float], left: Counter[int], killed_s: float
) -> AcksRun:
    lost = [when - killed_s for number, when in acknowledged_s.items() if number not in left]
    bins = Counter(when_s // BIN_S for when_s in lost)
    lost_at = [[round(bin_at * BIN_S, 3), bins[bin_at]] for bin_at in sorted(bins)]
    return AcksRun(acks, sent, len(acknowledged_s), len(lost), left.total() - len(left), lost_at)


def _leader_of_new_topic(addresses: Sequence[str], topic: str) -> int:
    """Create a topic with a replica on each broker, wait until all are in sync, and return the number of the leader."""
    from kafka import KafkaAdminClient

    with closing(KafkaAdminClient(bootstrap_servers=list(addresses))) as admin:

        def partition() -> Any:
            return admin.describe_topics([topic])[0]["partitions"][0]

        wait_until(lambda: len(admin.describe_cluster()["brokers"]) == BROKERS, "not all brokers were in service")
        admin.create_topics({topic: {"num_partitions": 1, "replication_factor": BROKERS}}, wait_for_metadata=True)
        wait_until(lambda: len(partition()["isr_nodes"]) == BROKERS, "not all replicas were in sync")
        return int(partition()["leader_id"])


def _read(address: str, topic: str) -> Iterator[int]:
    """Yield the numbers of all records of the topic, up to the last one."""
    from kafka import KafkaConsumer, TopicPartition

    place, deadline = TopicPartition(topic, 0), time.monotonic() + LIMIT_S
    with closing(KafkaConsumer(bootstrap_servers=address, enable_auto_commit=False)) as consumer:
        consumer.assign([place])
        consumer.seek_to_beginning(place)
        while time.monotonic() < deadline:
            for record in consumer.poll(500).get(place, ()):
                if record.value == LAST:
                    return
                yield int(record.value)
    raise TimeoutError(f"the topic could not be read within {LIMIT_S:.0f} s")


def as_json(runs: Sequence[AcksRun], machine: Mapping[str, Any]) -> dict[str, Any]:
    """Return a measurement as the object that is saved as JSON."""
    return {"machine": dict(machine), "runs": [asdict(run) for run in runs]}


def recorded_acks(path: Path = RECORDED) -> list[AcksRun]:
    """Return the runs that `./lab experiment acks` has written to `path`, by default those of the kit."""
    return [AcksRun(**run) for run in json.loads(path.read_text(encoding="utf-8"))["runs"]]


def acks_table(runs: Sequence[AcksRun]) -> str:
    """Return the runs as aligned text."""
    rows = [(run.acks, run.acknowledged, run.lost, run.repeated) for run in runs]
    return table(rows, ["acks", "acknowledged", "lost", "repeated"])


def draw_acks(runs: Sequence[AcksRun]) -> Picture:
    """Draw for each run how many acknowledged records are lost, by the time of their acknowledgement."""
    ends_s = [when_s + BIN_S for run in runs for when_s, _ in run.lost_at]
    span_s = min([-1.0, *(end_s - 2 * BIN_S for end_s in ends_s)]), max([1.0, *ends_s])
    series = {f"acks={run.acks}, lost {run.lost:,}": _lost_until(run, *span_s) for run in runs}
    words = "; ".join(f"acks={run.acks}: {run.lost:,} of {run.acknowledged:,}" for run in runs)
    return draw_lines(
        series,
        "acknowledged (s after the kill)",
        "lost records",
        "What acks promises",
        f"Lost of the acknowledged records. {words}",
    )


def _lost_until(run: AcksRun, first_s: float, last_s: float) -> list[tuple[float, float]]:
    """Return (s after the kill, records acknowledged until then that are lost)."""
    points, lost = [(first_s, 0.0)], 0.0
    for when_s, count in run.lost_at:
        points.append((when_s, lost))
        lost += count
        points.append((when_s + BIN_S, lost))
    return [*points, (last_s, lost)]
