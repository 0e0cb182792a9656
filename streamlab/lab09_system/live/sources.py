"""Sources that never end, second by second, with faults that can be injected into their records."""

from streamlab.lab09_system.city import Part
from streamlab.lab09_system.live.day import DATA_FAULTS
from streamlab.lab09_system.live.system import LiveSystem

BURST, HOT, POISON, AHEAD = 10, 0.6, 2, 1  # times as many records, share of one account, faulty records a second


class Sources:
    """Sends the records of one second at each call of `send_second`, `per_s` of them on an ordinary day."""

    def __init__(self, system: LiveSystem, per_s: int = 50) -> None:
        self._system, self._per_s, self.at_s = system, per_s, 0
        self._until_s: dict[str, int] = dict.fromkeys(DATA_FAULTS, 0)

    def inject(self, fault: str, seconds: int = 5) -> None:
        """Let a fault be in the records of the next seconds. Raises ValueError for a fault of another kind."""
        if fault not in self._until_s:
            raise ValueError(f"expected a fault of {', '.join(DATA_FAULTS)}, got {fault!r}")
        self._until_s[fault] = self.at_s + seconds

    def send_second(self) -> None:
        """Send the next second; return when the broker has acknowledged it."""
        has = {fault: self.at_s < until_s for fault, until_s in self._until_s.items()}
        per_s = self._per_s * (BURST if has["burst"] else 1)
        hot, poison, ahead = HOT * has["hot-key"], POISON * has["poison"], AHEAD * has["clock-ahead"]
        self.at_s += 1
        self._system.send(self._system.city.records(Part(self.at_s - 1, self.at_s, per_s, hot, poison, ahead)))
