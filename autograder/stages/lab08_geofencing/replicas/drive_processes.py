"""Three processes around the learner's `Replica` on a real topic; one of them is killed and restarted."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from typing import Any

from autograder.inside.patience import at_the_latest_s, wait_until
from autograder.inside.rows import Rows, plain
from autograder.inside.servers import all_memory, own_server
from autograder.stages.lab08_geofencing.replicas.drive_doubles import EasternIndex
from autograder.stages.lab08_geofencing.replicas.drive_log import DEMANDING_EVERY, PARTITIONS, SQUARE, history, updates
from streamlab.lab08_geofencing.geo import NotCaughtUp
from streamlab.lab08_geofencing.replicas import RemoteReplica, TopicFeed, replica_processes
from streamlab.sources.topics import ANY_TIME, new_topic

REPLICAS, MOST, PAUSE_S = 3, 60, 0.005  # a replay takes about a second, long enough for questions in between
PATIENCE_S = 10.0


def killed(replica: Any, case: Any) -> Rows:
    """Return the answers to the questions while one of three replicas is killed and restarted.

    Rows: for each question the movers, or None where no replica answered in time; the same for the restarted replica,
    asked at the end for everything that was acknowledged.
    """
    with all_memory():
        address = own_server("kafka").address
        topic = new_topic(address, PARTITIONS, ANY_TIME)
        with closing(_Log(address, topic)) as log:
            log.send(history(case))
            with replica_processes(_maker(replica, address, topic), REPLICAS, most=MOST, pause_s=PAUSE_S) as processes:
                clients = [each.client() for each in processes]
                turns = {case["kill_at"]: processes[0].kill, case["restart_at"]: lambda: _restart(processes[0])}
                answers = _asked(clients, log, case, turns)
                last = _answer(clients[:1], 0, dict(log.ends))
    return {"answers": answers, "restarted": last}


def _maker(replica: Any, address: str, topic: str) -> Callable[[], Any]:
    return lambda: replica(TopicFeed(address, topic), EasternIndex())


def _restart(process: Any) -> None:
    process.start()
    process.wait_until_listening()


def _asked(clients: Sequence[RemoteReplica], log: "_Log", case: Any, turns: dict[int, Callable[[], None]]) -> list[Any]:
    answers, sent = [], iter(updates(case))
    for number in range(case["questions"]):
        turns.get(number, lambda: None)()
        if is_demanding := number % DEMANDING_EVERY == 0:
            log.send([next(sent)])
        at_least = dict(log.ends) if is_demanding else None
        answers.append(_answer(clients, number, at_least))
    return answers


def _answer(clients: Sequence[RemoteReplica], number: int, at_least: dict[int, int] | None) -> Any:
    """Return the movers of the first replica that answers, starting with another one each time; None on timeout."""
    found: list[Any] = []

    def is_answered() -> bool:
        for turn in range(len(clients)):
            with suppress(OSError, NotCaughtUp):
                found.append(plain(clients[(number + turn) % len(clients)].within(SQUARE, None, at_least).movers))
                return True
        return False

    return found[0] if wait_until(is_answered, PATIENCE_S) else None


class _Log:
    """The producer of a topic; `ends` holds the offsets after the acknowledged records."""

    def __init__(self, address: str, topic: str) -> None:
        from kafka import KafkaProducer

        self._producer, self._topic = KafkaProducer(bootstrap_servers=address, acks="all", linger_ms=0), topic
        self.ends = dict[int, int]()

    def send(self, records: list[list[Any]]) -> None:
        """Send positions, and wait until all are acknowledged."""
        acknowledged = [self._sent(*record) for record in records]
        self._producer.flush()
        limit_s = at_the_latest_s(PATIENCE_S)
        self.ends |= {each.partition: each.offset + 1 for each in (sent.get(limit_s) for sent in acknowledged)}

    def _sent(self, partition: int, mover: str, time_ms: int, lon: float, lat: float) -> Any:
        value = json.dumps({"mover": mover, "lon": lon, "lat": lat}).encode()
        return self._producer.send(self._topic, value, key=mover.encode(), partition=partition, timestamp_ms=time_ms)

    def close(self) -> None:
        self._producer.close()
