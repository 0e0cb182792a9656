"""What readers of a live system see: committed alerts, dead letters, decisions, by one consumer that goes on."""

import pickle
import threading
from collections import Counter
from collections.abc import Iterable
from typing import Any

from streamlab.lab09_system.alert_log import CommittedRows, row_of

PATIENCE_S, ANSWER_S = 60.0, 2.0


class Committed:
    """Alerts and dead letters so far; each call reads what is new."""

    def __init__(self, address: str) -> None:
        self._reader = CommittedRows(address, "alerts", "repairs")
        self._lock = threading.Lock()
        self._alerts, self._dead = list[list[Any]](), list[Any]()

    def ends(self, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
        """Return the end offset of each (topic, partition) of the log. Raises LogError."""
        with self._lock:
            return self._reader.ends(places, ANSWER_S)

    def rows(self) -> list[list[Any]]:
        """Return all alerts in the order of the log, those of `repairs` last: [kind, account, subject, time, cents]."""
        self._read()
        return self._alerts

    def dead(self) -> list[Any]:
        """Return all dead letters as (reason, record)."""
        self._read()
        return self._dead

    def counts(self) -> Counter[str]:
        """Return the number of rows of each kind, and of each reason of dead letters."""
        self._read()
        return Counter(row[0] for row in self._alerts) + Counter(reason for reason, _ in self._dead)

    def undecided(self) -> set[tuple[str, str]]:
        """Return (account, window's end) of all windows without a decision."""
        places = {kind: set[tuple[str, str]]() for kind in ("UNDECIDED", "SPENT", "CLEARED", "AWAY")}
        for kind, account, subject, *_ in self.rows():
            places.setdefault(kind, set()).add((account, subject))
        return places["UNDECIDED"] - places["SPENT"] - places["CLEARED"]

    def close(self) -> None:
        """End the consumer."""
        self._reader.close()

    def _read(self) -> None:
        with self._lock:
            for each in self._reader.read(PATIENCE_S):
                kind, account, subject, time_ms, cents, record = row_of(each.value)
                if kind == "DEAD":
                    self._dead.append((subject, pickle.loads(record)))
                else:
                    self._alerts.append([kind, account, subject, time_ms, cents])
