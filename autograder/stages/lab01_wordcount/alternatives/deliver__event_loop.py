"""A heap of events, of which completions come first at one instant."""

import heapq

COMPLETION, ARRIVAL = 0, 1


def deliver(arrivals_ms, service_ms, buffer_size, policy):
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or sorted(arrivals_ms) != arrivals_ms:
        raise ValueError(f"cannot deliver with {policy!r}, {service_ms} ms, {buffer_size} places, {arrivals_ms}")
    events = [(at_ms, ARRIVAL, message) for message, at_ms in enumerate(arrivals_ms)]
    heapq.heapify(events)
    offered, waiting, service, delivered, dropped = [], [], [], [], []
    held_up_ms = longest = free_since_ms = 0

    def hand_over(now_ms):
        nonlocal held_up_ms, longest, free_since_ms
        while offered and (not service or len(waiting) < buffer_size):
            at_ms, message = offered.pop(0)
            held_up_ms += now_ms - max(at_ms, free_since_ms)
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
    return Delivery(delivered, dropped, service + waiting, held_up_ms, longest)
