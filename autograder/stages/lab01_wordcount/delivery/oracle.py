"""The right result of `deliver`: a simulation in plain Python, written from the rules in the notebook."""

from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any


@dataclass
class Source:
    """A simulation of one producer, a buffer and one consumer, moment by moment, in whole milliseconds.

    At each moment, the consumer finishes first, and then the producer offers.
    """

    arrivals_ms: list[int]
    service_ms: int
    buffer_size: int
    policy: str
    waiting: deque[int] = field(default_factory=deque)
    in_service: int | None = None
    free_at_ms: int = 0
    delivered: list[int] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    blocked_ms: int = 0
    longest_queue: int = 0

    def run(self) -> None:
        """Run until the last message has been handed over or dropped."""
        next_message, now_ms, offered_at_ms = 0, 0, None
        while next_message < len(self.arrivals_ms):
            self._finish(now_ms)
            if self.arrivals_ms[next_message] > now_ms:
                now_ms = self._next_moment(now_ms, self.arrivals_ms[next_message])
                continue
            offered_at_ms = now_ms if offered_at_ms is None else offered_at_ms
            if self._has_room() or self.policy == "drop":
                self.blocked_ms += now_ms - offered_at_ms
                self._offer(next_message, now_ms)
                next_message, offered_at_ms = next_message + 1, None
            else:
                now_ms = self.free_at_ms

    def _next_moment(self, now_ms: int, arrival_ms: int) -> int:
        """Return the next time at which anything can happen."""
        if self.in_service is not None and now_ms < self.free_at_ms < arrival_ms:
            return self.free_at_ms
        return arrival_ms

    def _finish(self, now_ms: int) -> None:
        if self.in_service is not None and self.free_at_ms <= now_ms:
            self.delivered.append(self.in_service)
            self.in_service = None
            if self.waiting:
                self._serve(self.waiting.popleft(), now_ms)

    def _has_room(self) -> bool:
        return self.in_service is None or len(self.waiting) < self.buffer_size

    def _offer(self, message: int, now_ms: int) -> None:
        if self.in_service is None:
            self._serve(message, now_ms)
        elif len(self.waiting) < self.buffer_size:
            self.waiting.append(message)
            self.longest_queue = max(self.longest_queue, len(self.waiting))
        else:
            self.dropped.append(message)

    def _serve(self, message: int, now_ms: int) -> None:
        self.in_service, self.free_at_ms = message, now_ms + self.service_ms


def delivery(arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str) -> dict[str, Any] | None:
    """Return the right delivery of every message, or None if an argument is invalid.

    Example: delivery([0, 1, 2], 10, 1, "drop")
    -> {"delivered": [], "dropped": [2], "queued": [0, 1], "blocked_ms": 0, "longest_queue": 1}
    """
    goes_back = any(later < sooner for sooner, later in pairwise(arrivals_ms))
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or goes_back:
        return None
    source = Source(arrivals_ms, service_ms, buffer_size, policy)
    source.run()
    accepted = [] if source.in_service is None else [source.in_service, *source.waiting]
    return {
        "delivered": source.delivered,
        "dropped": source.dropped,
        "queued": accepted,
        "blocked_ms": source.blocked_ms,
        "longest_queue": source.longest_queue,
    }
