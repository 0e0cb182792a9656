"""No clock: when a message starts follows from when the ones before it started."""

from itertools import pairwise


def deliver(arrivals_ms, service_ms, buffer_size, policy):
    goes_back = any(later < sooner for sooner, later in pairwise(arrivals_ms))
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or goes_back:
        raise ValueError("expected policy drop or block, service_ms > 0, buffer_size >= 0, arrivals in order")
    accepted, starts, dropped = [], [], []
    held_up_ms = longest = now_ms = 0
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
        held_up_ms += now_ms - ready_ms
        accepted.append(message)
        starts.append(max(now_ms, starts[-1] + service_ms) if starts else now_ms)
        longest = max(longest, sum(1 for start_ms in starts if start_ms > now_ms))
    done = sum(1 for start_ms in starts if start_ms + service_ms <= now_ms)
    return Delivery(accepted[:done], dropped, accepted[done:], held_up_ms, longest)
