"""The manager's ticks as one table of engines, with the rules of the drive's stubs written a second time.

A row of the table is an engine that has a place: [name, image, worker, size]; requests are [name, image, ttl].
"""

from collections import Counter
from typing import Any

Row = list[Any]


def plans(case: dict[str, Any]) -> list[Any]:
    """Return (starts, wanted, on, scheduled, dropped) for each tick."""
    cluster = _Cluster(case["rules"])
    return [cluster.tick(now_s, tick) for now_s, tick in enumerate(case["ticks"])]


def work(case: dict[str, Any]) -> tuple[int, int]:
    """Return how many messages there are, and the ideal worker-seconds.

    Those are the fewest with which no message waits: as many workers in each second as the work of that second fills.
    """
    starts = [
        burst["at_s"] + number // burst["per_s"] for burst in case["bursts"] for number in range(burst["messages"])
    ]
    at_work = [sum(at_s <= now_s < at_s + case["busy_s"] for at_s in starts) for now_s in range(case["until_s"])]
    return len(starts), sum(-(-case["cpu"] * messages // 1000) for messages in at_work)


class _Cluster:
    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.table: list[Row] = []
        self.requests: list[Row] = []
        self.shares: dict[str, int] = {}
        self.named = 0

    def tick(self, now_s: int, tick: dict[str, Any]) -> Any:
        self._end_and_observe(tick)
        for image, length in tick["waiting"].items():
            self._request(now_s, image, length)
        starts, staying, dropped = self._pack(tick)
        used = self._used()
        wanted = used or 1
        on = min(tick["registered"], max(wanted, tick["on"] - 2))
        gone = {name for name, *_ in staying}
        self.table = [row for row in self.table if row[0] not in gone]
        self.requests = [[name, image, ttl - 1] for name, image, ttl in staying if ttl > 0]
        dropped += [image for _, image, ttl in staying if ttl == 0]
        scheduled = [self._load(worker) for worker in range(self._used())]
        return [starts, wanted, on, scheduled, dict(Counter(dropped))]

    def _end_and_observe(self, tick: dict[str, Any]) -> None:
        names = [row[0] for row in self.table]
        ended = [
            each if isinstance(each, str) else names[each]
            for each in tick["end"]
            if each in range(len(names)) or isinstance(each, str)
        ]
        self.table = [row for row in self.table if row[0] not in ended]
        for image, cpu in tick["cpu"].items():
            if any(row[1] == image for row in self.table):
                self.shares[image] = cpu
        for row in self.table:
            row[3] = self._size(row[1])

    def _request(self, now_s: int, image: str, length: int) -> None:
        coming = [of for _, of, _ in self.requests].count(image)
        half = (length - coming + len(image) % 2) // 2
        for _ in range(0 if now_s % 3 == 2 else min(half, self.rules["many"])):
            self.named += 1
            self.requests.append([f"{image}-{self.named}", image, self.rules["ttl"]])

    def _pack(self, tick: dict[str, Any]) -> tuple[list[Row], list[Row], list[str]]:
        starts: list[Row] = []
        staying: list[Row] = []
        dropped: list[str] = []
        for at, (name, image, ttl) in enumerate(self.requests):
            before = sum(of == image for _, of, _ in self.requests[:at])
            if before >= tick["waiting"].get(image, 0):
                dropped.append(image)
                continue
            size = self._size(image)
            worker = self._place(size)
            self.table.append([name, image, worker, size])
            if worker < tick["ready"]:
                starts.append([name, image, worker, size])
            else:
                staying.append([name, image, ttl])
        return starts, staying, dropped

    def _place(self, size: int) -> int:
        loads = {worker: self._load(worker) for worker in range(self._used())}
        room = [worker for worker, load in loads.items() if load and load + size <= self.rules["capacity"]]
        if room:
            least = min(loads[worker] for worker in room)
            return max(worker for worker in room if loads[worker] == least)
        return min((worker for worker, load in loads.items() if not load), default=len(loads))

    def _size(self, image: str) -> int:
        if image not in self.shares:
            return int(self.rules["default_size"])
        stepped = self.shares[image] - self.shares[image] % self.rules["window"]
        return int(sorted([self.rules["least_size"], stepped, self.rules["capacity"]])[1])

    def _load(self, worker: int) -> int:
        return sum(size for _, _, at, size in self.table if at == worker)

    def _used(self) -> int:
        return max((worker for _, _, worker, _ in self.table), default=-1) + 1
