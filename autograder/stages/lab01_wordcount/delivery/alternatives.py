"""Other correct solutions of `deliver`; each must get full marks."""

import heapq
from itertools import pairwise

from autograder.checks.mutant_markers import alternative

COMPLETION = 0
ARRIVAL = 1


# A heap of events; at the same instant, completions come before arrivals.
@alternative("event_loop")
def deliver(arrivals_ms, service_ms, buffer_size, policy):
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or sorted(arrivals_ms) != arrivals_ms:
        raise ValueError(f"cannot deliver with {policy!r}, {service_ms} ms, {buffer_size} places, {arrivals_ms}")
    events = [(at_ms, ARRIVAL, message) for message, at_ms in enumerate(arrivals_ms)]
    heapq.heapify(events)
    offered, waiting, service, delivered, dropped = [], [], [], [], []
    blocked_ms = longest = free_since_ms = 0

    def hand_over(now_ms):
        nonlocal blocked_ms, longest, free_since_ms
        while offered and (not service or len(waiting) < buffer_size):
            at_ms, message = offered.pop(0)
            blocked_ms += now_ms - max(at_ms, free_since_ms)
            free_since_ms = now_ms
            if service:
                waiting.append(message)
                longest = max(longest, len(waiting))
            else:
                serve(message, now_ms)

    def serve(message, now_ms):
        service.append(message)
        heapq.heappush(events, (now_ms + service_ms, COMPLETION, message))

    left = len(arrivals_ms)
    while events and left > len(delivered) + len(service) + len(waiting) + len(dropped):
        now_ms, kind, message = heapq.heappop(events)
        if kind == COMPLETION:
            delivered.append(service.pop())
            if waiting:
                serve(waiting.pop(0), now_ms)
            hand_over(now_ms)
            continue
        offered.append((now_ms, message))
        hand_over(now_ms)
        if policy == "drop" and offered:
            dropped.append(offered.pop()[1])
    return Delivery(delivered, dropped, service + waiting, blocked_ms, longest)


# No clock: the start of a message follows from the starts of the messages before it.
@alternative("recurrence")
def deliver(arrivals_ms, service_ms, buffer_size, policy):
    goes_back = any(later < sooner for sooner, later in pairwise(arrivals_ms))
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or goes_back:
        raise ValueError("expected policy drop or block, service_ms > 0, buffer_size >= 0, arrivals in order")
    accepted, starts, dropped = [], [], []
    blocked_ms = longest = now_ms = 0
    for message, arrival_ms in enumerate(arrivals_ms):
        ready_ms = now_ms = max(arrival_ms, now_ms)
        room_ms = ready_ms
        if buffer_size == 0 and starts:
            room_ms = starts[-1] + service_ms
        elif 0 < buffer_size <= len(starts):
            room_ms = starts[-buffer_size]
        if policy == "drop" and room_ms > ready_ms:
            dropped.append(message)
            continue
        now_ms = max(ready_ms, room_ms)
        blocked_ms += now_ms - ready_ms
        accepted.append(message)
        starts.append(max(now_ms, starts[-1] + service_ms) if starts else now_ms)
        longest = max(longest, sum(1 for start_ms in starts if start_ms > now_ms))
    done = sum(1 for start_ms in starts if start_ms + service_ms <= now_ms)
    return Delivery(accepted[:done], dropped, accepted[done:], blocked_ms, longest)
