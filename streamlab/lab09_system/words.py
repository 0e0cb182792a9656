"""What the parts of the complete system hand to each other. Times are milliseconds, unless a name says seconds."""

from typing import NamedTuple

WINDOW_MS, ADVANCE_MS = 10_000, 5_000  # the windows of the spending rule, those of Lab 6's fraud windows
FRESH_MS = 60_000  # an older position does not prove where a phone is
REPEAT_MS = 60_000  # a payment with the id of one that counted at most this long before is the same payment


class CannotScale(ValueError):
    """No number of instances is enough, since one key alone needs more than one instance."""


class Fenced(RuntimeError):
    """A writer with a higher epoch has begun, so this one must stop."""


class LogError(RuntimeError):
    """The log did not answer. What it was asked to do may have happened, or not."""


class Record(NamedTuple):
    """A record of the log. `time_ms` is the event's, by the source's clock; `received_ms` by the connector's."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    time_ms: int
    received_ms: int


class Payment(NamedTuple):
    """A card payment in a shop. `limit_cents` is the account's limit, None as long as the store has not answered."""

    account: str
    time_ms: int
    id: str
    cents: int
    shop: str
    offset: int
    limit_cents: int | None = None


class Dead(NamedTuple):
    """A dead letter: a record that cannot be processed, unchanged. Reasons: "unreadable", "ahead", "defect"."""

    record: Record
    reason: str


class Alert(NamedTuple):
    """An alert. The subject of AWAY is the payment's id; that of SPENT, UNDECIDED and CLEARED is the window's end."""

    kind: str
    account: str
    subject: str
    time_ms: int
    cents: int


class Stage(NamedTuple):
    """A stage of a pipeline. `cost_us`: µs of one core per source record.

    `hottest_percent`: the share of the most frequent key, 0 if a record may go to any instance.
    """

    name: str
    cost_us: int
    hottest_percent: int = 0


class Size(NamedTuple):
    """The instances of each stage, the partitions of the log, and the time in which the slowest stage drains."""

    instances: dict[str, int]
    partitions: int
    drain_ms: int


class ScaleRules(NamedTuple):
    """The rules of the autoscaler. `size`: of one instance, in thousandths of a worker."""

    busy_percent: int
    drain_s: int
    quiet_ticks: int
    least: int
    most: int
    size: int


class Packed(NamedTuple):
    """The worker of each instance, and how many workers must be on."""

    instances: dict[str, int]
    workers: int


class RestartRules(NamedTuple):
    """The rules of the supervisor. `tries`: failures in a row after which it gives a program up."""

    lease_ms: int
    first_ms: int
    most_ms: int
    stable_ms: int
    tries: int


class Order(NamedTuple):
    """An order of the supervisor; `what` is "start", "kill" or "give_up"."""

    what: str
    program: str
    epoch: int


class Objective(NamedTuple):
    """A service-level objective: `percent` of the alerts come at most `limit_ms` after their event.

    `windows`: (long_s, short_s, factor) of each page; those of Google's SRE workbook by default.
    """

    percent: float
    limit_ms: int
    windows: tuple[tuple[int, int, float], ...] = ((3600, 300, 14.4), (21600, 1800, 6.0))


class Report(NamedTuple):
    """What the service levels are. `pages` has one value for each of the objective's windows."""

    lost: int
    twice: int
    unknown: int
    p50_ms: int
    p99_ms: int
    bad: int
    budget_left: float
    pages: tuple[bool, ...]


class Sample(NamedTuple):
    """What the system measured in one second. `offered` and `lag` have one value for each partition."""

    at_s: int
    offered: tuple[int, ...]
    lag: tuple[int, ...]
    log_errors: int
    store_errors: int
    store_ms: int
    epoch: int
    term: int
    retries: int
    unreadable: int
    ahead: int


class Incident(NamedTuple):
    """A fault in the seconds from `from_s` until before `to_s`; the lag is back at `back_s`, None if it is not yet."""

    kind: str
    from_s: int
    to_s: int
    back_s: int | None
