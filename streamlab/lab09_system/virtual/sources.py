"""Sources of the virtual system, whose records wait until they are admitted, and the log with its partitions."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

PARTITIONS, LOG_ROOM, LEAST = 12, 6_000, 500  # the room is that of one second
RATES_PER_S = {"payments": 400, "positions": 600}
RANKS = {"payments": 0, "positions": 1}
ALERTS_PERCENT = 2  # of the payments
HOT_PARTITION, HOT_SHARE = 3, 0.35
CHUNK, BUFFER = 100, 10  # the connector's buffer has room for ten chunks of a hundred records

Alert = tuple[int, int, int]  # second of its event, partition, number


def in_proportion(waiting: Mapping[str, int], _ranks: Any, room: int, _least: int) -> dict[str, int]:
    """Grant each queue its share of the room, as Spark divides maxOffsetsPerTrigger; used where `admit` is missing."""
    total = sum(waiting.values())
    return {name: min(each, each * room // total if total else 0) for name, each in waiting.items()}


class Sources:
    """Sources that offer records. `waiting`: topic -> [second, partition, records], oldest first."""

    def __init__(self, seed: str) -> None:
        self._rng = Random(f"{seed}/sources")
        weights = [self._rng.uniform(0.9, 1.1) for _ in range(PARTITIONS)]
        self._weights = [weight / sum(weights) for weight in weights]
        self.waiting: dict[str, deque[list[int]]] = {topic: deque() for topic in RATES_PER_S}
        self.expected: dict[Alert, int] = {}  # alert -> ms of its event

    def offer(self, now_s: int, is_burst: bool, has_hot_key: bool) -> list[int]:
        """Offer the records of one second; return how many belong to each partition."""
        offered, weights = [0] * PARTITIONS, list(self._weights)
        if has_hot_key:
            weights = [HOT_SHARE * (at == HOT_PARTITION) + (1 - HOT_SHARE) * each for at, each in enumerate(weights)]
        for topic, rate_per_s in RATES_PER_S.items():
            total = rate_per_s * (10 if is_burst else 1) * (2 if has_hot_key else 1)
            for partition, weight in enumerate(weights):
                count = round(total * weight * self._rng.uniform(0.95, 1.05))
                offered[partition] += count
                self.waiting[topic].append([now_s, partition, count])
                if topic == "payments":
                    alerts = range(max(1, count * ALERTS_PERCENT // 100))
                    self.expected |= {(now_s, partition, number): 1000 * now_s for number in alerts}
        return offered

    def queued(self) -> dict[str, int]:
        """Return how many records of each topic wait."""
        return {topic: sum(each[2] for each in queue) for topic, queue in self.waiting.items()}

    def take(self, topic: str, count: int) -> Iterator[tuple[int, int, int]]:
        """Remove the `count` oldest records of a topic: (second, partition, records), in order."""
        queue = self.waiting[topic]
        while count > 0 and queue:
            part = min(count, queue[0][2])
            yield queue[0][0], queue[0][1], part
            queue[0][2], count = queue[0][2] - part, count - part
            if queue[0][2] == 0:
                queue.popleft()


class Log:
    """The log. Each partition has [second, topic, records], oldest first."""

    def __init__(self) -> None:
        self._partitions: list[deque[list[Any]]] = [deque() for _ in range(PARTITIONS)]

    def append(self, second: int, partition: int, topic: str, count: int) -> None:
        """Append records."""
        self._partitions[partition].append([second, topic, count])

    def lags(self) -> list[int]:
        """Return how many records wait in each partition."""
        return [sum(each[2] for each in partition) for partition in self._partitions]

    def process(self, partition: int, count: int) -> Iterator[int]:
        """Process the `count` oldest records; yield the second of each group of payments that is now complete."""
        rows = self._partitions[partition]
        while count > 0 and rows:
            part = min(count, rows[0][2])
            rows[0][2], count = rows[0][2] - part, count - part
            if rows[0][2] == 0:
                second, topic, _ = rows.popleft()
                if topic == "payments":
                    yield second


def admit(
    policy: Callable[[Mapping[str, int], Mapping[str, int], int, int], Mapping[str, int]],
    sources: Sources,
    log: Log,
    room: int,
) -> int:
    """Move the records that `policy` grants from the sources to the log; return how many."""
    granted = policy(sources.queued(), RANKS, room, LEAST)
    for topic, count in granted.items():
        for second, partition, part in sources.take(topic, count):
            log.append(second, partition, topic, part)
    return sum(granted.values())


def blocked_ms(deliver: Callable[..., Any], offered: int, room: int) -> int:
    """Return how long the sources of one second wait for room in the connector's buffer, by Lab 1's `deliver`."""
    chunks = max(1, offered // CHUNK)
    arrivals_ms = [1000 * at // chunks for at in range(chunks)]
    service_ms = 1000 * CHUNK // room if room else 1000
    blocked: int = deliver(arrivals_ms, service_ms, BUFFER, "block").blocked_ms
    return blocked
