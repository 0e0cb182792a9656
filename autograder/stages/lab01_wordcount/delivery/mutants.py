"""Wrong versions of `deliver`, each with the checks that must catch it."""

from autograder.verify.marks import mutant, right

FULL_BUFFER = "a_full_buffer_drops_the_message_that_comes"
ARGUMENTS_CANNOT = "arguments_that_cannot_be_meant_are_refused"
INSTANT_COMPLETION = "at_one_instant_a_completion_comes_before_an_arrival"
DELIVERED_WAS = "delivered_is_what_was_finished_by_the_last_hand_over"
MESSAGE_DELIVERED = "every_message_is_delivered_dropped_or_queued"
LONGEST_QUEUE = "the_longest_queue_counts_messages_that_wait"
TIME_HELD = "time_held_up_is_counted_once"

# deliver


@right
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
    done = sum(1 for end_ms in ends_ms if end_ms <= now_ms)
    return Delivery(served[:done], dropped, served[done:] + waiting, held_up_ms, longest)


mutant(
    "any_policy", ARGUMENTS_CANNOT, ('policy not in ("drop", "block") or service_ms', "service_ms")
)  # Takes every unknown policy for block.
mutant(
    "arrival_before_completion",
    INSTANT_COMPLETION,
    (
        "        ready_ms = now_ms = max(arrival_ms, now_ms)",
        """        ready_ms = now_ms = max(arrival_ms, now_ms)
        finish_until(now_ms - 1)
        if ends_ms and ends_ms[-1] >= now_ms and len(waiting) >= buffer_size and policy == "drop":
            dropped.append(message)
            continue""",
    ),
    (
        """        if busy and len(waiting) >= buffer_size and policy == "drop":
            dropped.append(message)
            continue
""",
        "",
    ),
)  # At one instant, takes the arrival first, so that it finds the place still taken.
mutant(
    "blocks_when_it_should_drop",
    [FULL_BUFFER, TIME_HELD, INSTANT_COMPLETION],
    (
        """        if busy and len(waiting) >= buffer_size and policy == "drop":
            dropped.append(message)
            continue
""",
        "",
    ),
)  # Holds the producer up whatever the policy says.
mutant(
    "dropped_forgotten",
    [MESSAGE_DELIVERED, FULL_BUFFER, INSTANT_COMPLETION],
    (
        """            dropped.append(message)
""",
        "",
    ),
)  # Says nothing of the messages that it dropped.
mutant(
    "drops_the_oldest",
    [FULL_BUFFER, INSTANT_COMPLETION],
    (
        "            dropped.append(message)",
        """            waiting.append(message)
            dropped.append(waiting.pop(0))""",
    ),
)  # Makes room by dropping the message that has waited longest.
mutant(
    "drops_when_it_should_block",
    ["a_producer_that_is_held_up_loses_nothing", TIME_HELD],
    ('buffer_size and policy == "drop"', "buffer_size"),
)  # Drops whatever the policy says.
mutant(
    "held_up_counted_twice", TIME_HELD, ("ready_ms = now_ms", "now_ms"), ("- ready_ms", "- arrival_ms")
)  # Counts the time held up from the arrival, so that time behind an earlier message counts again.
mutant(
    "held_up_with_service", TIME_HELD, ("- ready_ms", "- ready_ms + (service_ms if now_ms > ready_ms else 0)")
)  # Counts the service time of a message that was held up as well.
mutant(
    "idle_consumer_ignored",
    [FULL_BUFFER, DELIVERED_WAS, INSTANT_COMPLETION],
    ("if busy and len(waiting) >= buffer_size ", "if len(waiting) >= buffer_size "),
)  # Asks for room in the buffer even where the consumer is idle.
mutant(
    "in_service_forgotten", MESSAGE_DELIVERED, ("served[done:] + waiting", "waiting")
)  # Leaves out the message in service: it is neither delivered nor queued.
mutant(
    "last_in_first_out", ["messages_leave_in_the_order_in_which_they_came", DELIVERED_WAS], ("(0", "(")
)  # Serves the message that came last.
mutant(
    "longest_at_the_end", LONGEST_QUEUE, ("max(longest, len(waiting)", "len(waiting")
)  # Gives the queue that is left in the end for the longest one.
mutant(
    "longest_with_service", LONGEST_QUEUE, (", len(waiting)", ", len(waiting) + 1")
)  # Counts the message in service among those that wait, in the longest queue.
mutant(
    "negative_buffer", ARGUMENTS_CANNOT, ("buffer_size < 0 or goes_back", "goes_back")
)  # Accepts a buffer with fewer than no places.
mutant(
    "one_place_too_few",
    [FULL_BUFFER, TIME_HELD, LONGEST_QUEUE, DELIVERED_WAS, INSTANT_COMPLETION],
    ("if busy and len(waiting) >= buffer_size ", "if busy and len(waiting) + 1 >= buffer_size "),
    ("if busy and len(waiting) >= buffer_size:", "if busy and len(waiting) + 1 >= buffer_size:"),
)  # Counts the message in service among those that wait.
mutant(
    "one_place_too_many",
    [FULL_BUFFER, TIME_HELD, LONGEST_QUEUE, INSTANT_COMPLETION],
    ("if busy and len(waiting) >= buffer_size ", "if busy and len(waiting) > buffer_size "),
    ("if busy and len(waiting) >= buffer_size:", "if busy and len(waiting) > buffer_size:"),
)  # Lets one message more wait than there are places.
mutant(
    "serves_to_the_end",
    DELIVERED_WAS,
    (
        "    done = sum(1 for end_ms in ends_ms if end_ms <= now_ms)",
        """    finish_until(float("inf"))
    done = sum(1 for end_ms in ends_ms if end_ms)""",
    ),
)  # Goes on until the last message was served, though nobody watches any longer.
mutant(
    "time_goes_back",
    ARGUMENTS_CANNOT,
    (
        """    goes_back = any(later < sooner for sooner, later in zip(arrivals_ms, arrivals_ms[1:]))
    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0 or goes_back:""",
        '    if policy not in ("drop", "block") or service_ms <= 0 or buffer_size < 0:',
    ),
)  # Accepts arrivals that go back in time.
