"""Test doubles around `Replica` and `ask`: a log in memory, an index with another rule, scripted replicas."""

from typing import Any

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp, Position, bounds

ERRORS: dict[str, type[Exception]] = {
    "ConnectionRefusedError": ConnectionRefusedError,
    "ConnectionResetError": ConnectionResetError,
    "KeyError": KeyError,
    "NotCaughtUp": NotCaughtUp,
    "OSError": OSError,
    "RuntimeError": RuntimeError,
    "TimeoutError": TimeoutError,
    "ValueError": ValueError,
}


class ScriptedFeed:
    """A log {partition: [[mover, time_ms, lon, lat] or None]}; None is an offset without a record."""

    def __init__(self, log: dict[str, list[Any]]) -> None:
        self._log = {int(partition): list(records) for partition, records in log.items()}

    def grow(self, log: dict[str, list[Any]]) -> None:
        """Append records."""
        for partition, records in log.items():
            self._log[int(partition)] += records

    def ends(self) -> dict[int, int]:
        """Return the offset that the next record of each partition will get."""
        return {partition: len(records) for partition, records in self._log.items()}

    def read(self, offsets: dict[int, int], most: int) -> tuple[list[Position], dict[int, int]]:
        """Return at most `most` positions from `offsets` on, and the following offsets.

        It skips offsets without a record on the way to the next one. Like Kafka's consumer, it stops after the last
        position that it may return.
        """
        positions, following = list[Position](), {partition: offsets.get(partition, 0) for partition in self._log}
        for partition, records in self._log.items():
            while following[partition] < len(records) and len(positions) < most:
                record = records[following[partition]]
                if record is not None:
                    mover, time_ms, lon, lat = record
                    positions.append(Position(mover, time_ms, lon, lat, following[partition]))
                following[partition] += 1
        return positions, following


class EasternIndex:
    """An index with another rule: the last put decides, and inside is the eastern half of the bounding box.

    Positions at exactly `since_ms` do not count, and `put` returns whether the mover is new.
    """

    def __init__(self) -> None:
        self._last: dict[str, Position] = {}

    def put(self, position: Position) -> bool:
        """Store the place of a mover; return whether the mover is new."""
        is_new = position.mover not in self._last
        self._last[position.mover] = position
        return is_new

    def within(self, polygons: Any, since_ms: int | None = None) -> list[str]:
        """Return the movers in the eastern half."""
        box = bounds(polygons)
        return sorted(
            mover
            for mover, (_, time_ms, lon, lat, _) in self._last.items()
            if (box.west + box.east) / 2 < lon <= box.east and box.south <= lat <= box.north
            if since_ms is None or time_ms > since_ms
        )


class ScriptedReplicas:
    """Replicas that follow a script: a list of outcomes, each ["answer", movers, offsets] or [error, text].

    Each replica has its own script, whose last entry holds for all further calls. `calls` lists [replica, arguments]
    in order, and "pause" for each call of `pause`.
    """

    def __init__(self, scripts: list[list[list[Any]]]) -> None:
        self._scripts, self.calls = [list(script) for script in scripts], list[Any]()

    def __len__(self) -> int:
        return len(self._scripts)

    def replicas(self) -> list[Any]:
        """Return the replicas to ask."""
        return [_Scripted(self, number) for number in range(len(self))]

    def pause(self) -> None:
        """Record a pause."""
        self.calls.append("pause")

    def answer(self, number: int, arguments: list[Any]) -> Answer:
        """Follow the script: return an answer or raise an error."""
        self.calls.append([number, *arguments])
        script = self._scripts[number]
        kind, *rest = script.pop(0) if len(script) > 1 else script[0]
        if kind != "answer":
            raise ERRORS[kind](*rest)
        movers, offsets = rest
        return Answer(list(movers), {int(partition): offset for partition, offset in offsets.items()})


class _Scripted:
    def __init__(self, all_of_them: ScriptedReplicas, number: int) -> None:
        self._all, self._number = all_of_them, number

    def within(self, polygons: Any, since_ms: Any = None, at_least: Any = None) -> Answer:
        return self._all.answer(self._number, [polygons, since_ms, at_least])
