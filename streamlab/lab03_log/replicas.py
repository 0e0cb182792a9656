"""What a replicated partition stores, and why it rejects a call."""

from typing import NamedTuple


class Entry(NamedTuple):
    """A record and the epoch of the leader that appended it. At one offset, equal epochs mean the same record."""

    epoch: int
    value: str


class NoLeader(RuntimeError):
    """A call that needs a leader, while the partition has none."""


class NotEnoughReplicas(RuntimeError):
    """A record with acks="all", while fewer than `min_isr` replicas are in sync."""
