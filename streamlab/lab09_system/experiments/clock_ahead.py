"""Experiment of Lab 9 that breaks an invariant: one phone with next year's date moves the watermark."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from streamlab.lab09_system.city import City, Part
from streamlab.lab09_system.topics import play_records
from streamlab.lab09_system.words import Record

SHARDS, LATENESS_S, SECONDS, PER_S = 2, 2.0, 12, 30
USUAL_MS, ANY_DATE_MS = 60_000, 10**15


class KnownLimits:
    """A store that knows the limits of some accounts; KnownLimits({"a": "300"}) opens nothing."""

    def __init__(self, limits: Mapping[str, str]) -> None:
        self._limits = dict(limits)

    def get_many(self, accounts: Iterable[str]) -> dict[str, str | None]:
        """Return the row of every account, None for an unknown one."""
        return {account: self._limits.get(account) for account in accounts}


class Run(NamedTuple):
    """The alerts of a run, without dead letters, and how many rows Spark dropped as older than the watermark."""

    alerts: set[tuple[Any, ...]]
    dropped: int


def alerts_of_a_city(spark: Any, alerts: Callable[..., Any], ahead_ms: int) -> Run:
    """Return the alerts of twelve seconds of a small city; in the fourth one, a clock is a year ahead."""
    city = City("clock ahead", accounts=60, shops=4)
    fences, parts = city.fences(), [Part(0, 4, PER_S, ahead=1), Part(4, SECONDS, PER_S)]
    seconds = [records for part in parts for records in city.records(part)]
    files = [[*fences, *_joined(seconds[:4])], _joined(seconds[4:8]), _joined(seconds[8:]), city.closing(SECONDS)]
    limits = {account: str(cents) for account, cents in city.limits.items()}

    def query(records: Any) -> Any:
        return alerts(records, SHARDS, LATENESS_S, lambda: KnownLimits(limits), ahead_ms)

    played = play_records(spark, files, query)
    found = {(row.kind, row.account, row.subject, row.time_ms, row.cents) for row in played.rows}
    return Run({alert for alert in found if alert[0] != "DEAD"}, played.dropped)


def _joined(seconds: Iterable[Iterable[Record]]) -> list[Record]:
    return [record for records in seconds for record in records]
