# wrong: without messages returns before it validates; breaks "Invalid arguments raise a ValueError"
# caught by: invalid_arguments_raise_value_error
def deliver(arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str) -> Delivery:
    if not arrivals_ms:
        return Delivery([], [], [], 0, 0)
    reject_invalid_arguments(arrivals_ms, service_ms, buffer_size, policy)
    kept, starts, dropped, blocked, longest = [], [], [], 0, 0
    free_ms = offer = None
    for i, arrival in enumerate(arrivals_ms):
        offer = arrival if offer is None else max(arrival, offer)
        idle = not starts or starts[-1] + service_ms <= offer
        waiting = len(starts) - bisect_right(starts, offer)
        if not idle and waiting >= buffer_size:
            if policy == "drop":
                dropped.append(i)
                continue
            hand_over = starts[-buffer_size] if buffer_size else starts[-1] + service_ms
            blocked += hand_over - offer
            offer = hand_over
        kept.append(i)
        starts.append(max(offer, starts[-1] + service_ms) if starts else offer)
        longest = max(longest, len(starts) - bisect_right(starts, offer))
    done = bisect_right(starts, offer - service_ms) if starts else 0
    return Delivery(kept[:done], dropped, kept[done:], blocked, longest)
