"""Wrong versions of `deliver`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, right, survivor

EACH_ONCE = "every_message_is_delivered_dropped_or_queued"
IN_ORDER = "messages_leave_in_order_of_arrival"
DROP = "a_full_buffer_drops_the_arriving_message"
BLOCK = "a_blocked_producer_loses_no_message"
BLOCKED_TIME = "blocked_time_is_counted_once"
LONGEST = "the_longest_queue_counts_waiting_messages_only"
DELIVERED = "messages_served_by_the_last_hand_over_are_delivered"
TIE = "services_end_before_arrivals_at_the_same_moment"
INVALID = "invalid_arguments_raise_value_error"


@right
def deliver(arrivals_ms, service_ms, buffer_size, policy):
    goes_back = any(later < sooner for sooner, later in zip(arrivals_ms, arrivals_ms[1:]))
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or goes_back:
        raise ValueError(f"expected drop or block, got {policy} with {service_ms} ms and {buffer_size} places")
    waiting, served, ends_ms, dropped = [], [], [], []
    blocked_ms = longest = now_ms = 0

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
        blocked_ms += now_ms - ready_ms
        if busy:
            waiting.append(message)
        else:
            served.append(message)
            ends_ms.append(now_ms + service_ms)
        longest = max(longest, len(waiting))
    done = sum(1 for end_ms in ends_ms if end_ms <= now_ms)
    return Delivery(served[:done], dropped, served[done:] + waiting, blocked_ms, longest)


# Arguments
mutant("any_policy", INVALID, ('policy not in ("drop", "block") or ', ""))
mutant("negative_buffer", INVALID, (" or buffer_size < 0", ""))
mutant("time_goes_back", INVALID, (" or goes_back", ""))

# Which message is dropped, and when the producer is blocked
mutant("blocks_when_it_should_drop", [DROP, BLOCKED_TIME, TIE], ('policy == "drop"', "False"))
mutant("drops_when_it_should_block", [BLOCK, BLOCKED_TIME], ('policy == "drop"', "True"))
mutant(
    "drops_the_oldest",
    [DROP, TIE],
    ("dropped.append(message)", "waiting.append(message)\n            dropped.append(waiting.pop(0))"),
)
mutant("dropped_forgotten", [EACH_ONCE, DROP, TIE], ("dropped.append(message)", "pass"))
mutant(
    "idle_consumer_ignored",
    [DROP, DELIVERED, TIE],
    ("if busy and len(waiting) >= buffer_size and", "if len(waiting) >= buffer_size and"),
)
# The message in service is counted among those that wait.
mutant(
    "one_place_too_few",
    [DROP, BLOCKED_TIME, LONGEST, DELIVERED, TIE],
    ("len(waiting) >= buffer_size and", "len(waiting) + 1 >= buffer_size and"),
    ("len(waiting) >= buffer_size:", "len(waiting) + 1 >= buffer_size:"),
)

# When things happen at the same moment
mutant(
    "arrival_before_completion",
    TIE,
    ("finish_until(now_ms)\n        busy", "finish_until(now_ms - 1)\n        busy"),
    ("ends_ms[-1] > now_ms\n        if busy and", "ends_ms[-1] >= now_ms\n        if busy and"),
)
mutant("just_finished_is_queued", TIE, ("end_ms <= now_ms)", "end_ms < now_ms)"))

# Time
mutant("blocked_counted_twice", BLOCKED_TIME, ("now_ms - ready_ms", "now_ms - arrival_ms"))

mutant("last_in_first_out", [IN_ORDER, DELIVERED], ("pop(0)", "pop()"))
mutant("longest_at_the_end", LONGEST, ("max(longest, len(waiting))", "len(waiting)"))
mutant("ends_with_the_last_arrival", DELIVERED, ("end_ms <= now_ms)", "end_ms <= arrivals_ms[-1])"))

# Automatic mutants of the reference that do not change its behaviour
survivor(
    "deliver",
    'if policy == "drop" and room_ms > offer_ms:',
    'if policy == "drop" and room_ms != offer_ms:',
    reason="equivalent: room_ms is the maximum of offer_ms and something else, so it is never less",
)
survivor(
    "deliver",
    'if policy == "drop" and room_ms > offer_ms:',
    'if policy >= "drop" and room_ms > offer_ms:',
    reason='equivalent: the only other policy, "block", comes before "drop"',
)
survivor(
    "deliver",
    "now_ms = free_ms = 0",
    "now_ms = free_ms = -1",
    reason="equivalent: no message arrives before 0",
)
survivor(
    "deliver",
    "room_ms = max(offer_ms, starts[-1 - buffer_size]) if len(starts) > buffer_size else offer_ms",
    "room_ms = max(offer_ms, starts[-1 ^ buffer_size]) if len(starts) > buffer_size else offer_ms",
    reason="equivalent: -1 ^ n is -1 - n for every n of 0 or more",
)
