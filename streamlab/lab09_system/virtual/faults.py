"""The ten faults of the virtual system, and when they are active."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault: the kind of incident that `post_mortem` reports for it, and how many seconds it lasts."""

    kind: str
    lasts_s: int


FAULTS = {
    "burst": Fault("burst", 20),  # ten times the records
    "hot-key": Fault("skew", 20),  # twice the records, and a third of them on one partition
    "poison": Fault("poison", 5),  # unreadable records
    "clock-ahead": Fault("clock", 5),  # records from next year
    "store-stopped": Fault("slow store", 20),  # each call waits for its time-out
    "store-killed": Fault("store", 20),  # the same, with errors
    "python-worker": Fault("worker", 1),  # the first worker, which is full, its machine and its instances
    "broker": Fault("log", 6),  # the log takes no records
    "job": Fault("job", 1),
    "leader": Fault("leader", 1),  # its job ends, too
}


class Faults:
    """The faults so far. `injected`: (fault, first second, second after the last), in order."""

    def __init__(self) -> None:
        self.injected: list[tuple[str, int, int]] = []

    def inject(self, fault: str, now_s: int) -> None:
        """Begin a fault. Raises ValueError for an unknown name."""
        if fault not in FAULTS:
            raise ValueError(f"expected a fault of {', '.join(FAULTS)}; got {fault!r}")
        self.injected.append((fault, now_s, now_s + FAULTS[fault].lasts_s))

    def is_on(self, fault: str, now_s: int) -> bool:
        """Return whether a fault of this name is active."""
        return any(name == fault and from_s <= now_s < to_s for name, from_s, to_s in self.injected)
