"""The right waiting times, broker by broker: its messages are split into groups that are sent together."""

from collections.abc import Sequence
from typing import Any

POSITIVE = ("partitions", "brokers", "enough")


def waiting_ms(case: dict[str, Any]) -> list[int] | None:
    """Return the waiting time of each message, or None if an argument is invalid."""
    if any(case[name] < 1 for name in POSITIVE) or case["linger_ms"] < 0:
        return None
    arrivals_ms = [at_ms for at_ms, messages in case["bursts"] for _ in range(messages)]
    sent = dict[int, int]()
    for broker in range(case["brokers"]):
        own = [number for number in range(len(arrivals_ms)) if number % case["partitions"] % case["brokers"] == broker]
        while own:
            size, at_ms = _first_group([arrivals_ms[number] for number in own], case["enough"], case["linger_ms"])
            sent |= dict.fromkeys(own[:size], at_ms)
            own = own[size:]
    return [sent[number] - at_ms for number, at_ms in enumerate(arrivals_ms)]


def _first_group(times_ms: Sequence[int], enough: int, linger_ms: int) -> tuple[int, int]:
    """Return how many messages are sent first, and when.

    A message that arrives when the oldest one has waited long enough belongs to the next group.
    """
    ends_ms = times_ms[0] + linger_ms
    in_time = [at_ms for at_ms in times_ms if at_ms < ends_ms or at_ms == times_ms[0]]
    return (enough, in_time[enough - 1]) if len(in_time) >= enough else (len(in_time), ends_ms)
