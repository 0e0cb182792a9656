"""The right waiting times, one broker after another: its messages are cut into groups that are sent together."""

from collections.abc import Sequence
from typing import Any

POSITIVE = ("partitions", "brokers", "enough")


def waiting_ms(case: dict[str, Any]) -> list[int] | None:
    """The waiting time of each message; None where an argument is invalid."""
    if any(case[name] < 1 for name in POSITIVE) or case["linger_ms"] < 0:
        return None
    came = [at_ms for at_ms, messages in case["bursts"] for _ in range(messages)]
    sent = dict[int, int]()
    for broker in range(case["brokers"]):
        own = [number for number in range(len(came)) if number % case["partitions"] % case["brokers"] == broker]
        while own:
            size, at_ms = _first_group([came[number] for number in own], case["enough"], case["linger_ms"])
            sent |= dict.fromkeys(own[:size], at_ms)
            own = own[size:]
    return [sent[number] - at_ms for number, at_ms in enumerate(came)]


def _first_group(times_ms: Sequence[int], enough: int, linger_ms: int) -> tuple[int, int]:
    """How many messages are sent first, and when. A message that comes when the oldest has waited is in the next."""
    ends_ms = times_ms[0] + linger_ms
    in_time = [at_ms for at_ms in times_ms if at_ms < ends_ms or at_ms == times_ms[0]]
    return (enough, in_time[enough - 1]) if len(in_time) >= enough else (len(in_time), ends_ms)
