"""Sources that never end and never wait, second by second, with faults that can be injected into their records."""

from collections import Counter
from collections.abc import Sequence
from queue import SimpleQueue

from streamlab.lab09_system.city import City, Part
from streamlab.lab09_system.live.connector import Connector
from streamlab.lab09_system.live.day import DATA_FAULTS
from streamlab.lab09_system.words import Record

BURST, HOT, POISON, AHEAD = 10, 0.6, 2, 1  # times as many records, share of one account, faulty records a second


class Sources:
    """Offers `per_s` records a second on an ordinary day; `offered` counts those of each (topic, partition)."""

    def __init__(self, city: City, per_s: int = 50) -> None:
        self._city, self._per_s, self.at_s = city, per_s, 0
        self._until_s: dict[str, int] = dict.fromkeys(DATA_FAULTS, 0)
        self._waiting = SimpleQueue[Sequence[Record]]()
        self.offered = Counter[tuple[str, int]]()

    def inject(self, fault: str, seconds: int) -> None:
        """Let a fault of DATA_FAULTS be in the records of the next seconds."""
        self._until_s[fault] = self.at_s + seconds

    def offer_second(self) -> None:
        """Offer the records of the next second."""
        has = {fault: self.at_s < until_s for fault, until_s in self._until_s.items()}
        per_s = self._per_s * (BURST if has["burst"] else 1)
        hot, poison, ahead = HOT * has["hot-key"], POISON * has["poison"], AHEAD * has["clock-ahead"]
        self.at_s += 1
        [records] = self._city.records(Part(self.at_s - 1, self.at_s, per_s, hot, poison, ahead))
        self.offered.update((each.topic, each.partition) for each in records)
        self._waiting.put(records)

    def send_second(self, connector: Connector) -> None:
        """Wait for the oldest second that is not sent, and send it; return when the broker has acknowledged it.

        No second overtakes another one, so a micro-batch after a pause drops no record as late.
        """
        connector.send(self._waiting.get())
