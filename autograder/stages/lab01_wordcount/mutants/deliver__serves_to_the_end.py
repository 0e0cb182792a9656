"""Goes on until the last message was served, though nobody watches any longer."""

KILLED_BY = ["delivered_is_what_was_finished_by_the_last_hand_over"]


def deliver(arrivals_ms, service_ms, buffer_size, policy):
    goes_back = any(later < sooner for sooner, later in zip(arrivals_ms, arrivals_ms[1:]))
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or goes_back:
        raise ValueError(f"expected drop or block, got {policy} with {service_ms} ms and {buffer_size} places")
    waiting, served, ends_ms, dropped = [], [], [], []
    held_up_ms = longest = now_ms = 0

    def finish_until(until_ms):
        while waiting and ends_ms[-1] <= until_ms:
            served.append(waiting.pop(0))
            ends_ms.append(ends_ms[-1] + service_ms)

    for message, arrival_ms in enumerate(arrivals_ms):
        ready_ms = now_ms = max(arrival_ms, now_ms)
        finish_until(now_ms)
        busy = bool(ends_ms) and ends_ms[-1] > now_ms
        if busy and len(waiting) >= buffer_size and policy == "drop":
            dropped.append(message)
            continue
        if busy and len(waiting) >= buffer_size:
            now_ms = ends_ms[-1]
            finish_until(now_ms)
            busy = ends_ms[-1] > now_ms
        held_up_ms += now_ms - ready_ms
        if busy:
            waiting.append(message)
        else:
            served.append(message)
            ends_ms.append(now_ms + service_ms)
        longest = max(longest, len(waiting))
    finish_until(float("inf"))
    done = sum(1 for end_ms in ends_ms if end_ms)
    return Delivery(served[:done], dropped, served[done:] + waiting, held_up_ms, longest)
