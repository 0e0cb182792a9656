"""Wrong versions of `waiting_ms`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

BROKERS = "each_broker_has_its_own_queue"
ENOUGH = "a_queue_is_sent_when_it_holds_enough"
OLDEST = "a_queue_is_sent_when_its_oldest_message_has_waited"
SENT = "every_message_is_sent"

reference("waiting_ms")

# One queue for each partition.
mutant(
    "a_queue_for_each_partition",
    BROKERS,
    ("for _ in range(brokers)]", "for _ in range(partitions)]"),
    ("queues[len(arrived_ms) % partitions % brokers]", "queues[len(arrived_ms) % partitions]"),
)
mutant("one_more", [BROKERS, ENOUGH, OLDEST], ("len(queue) == enough", "len(queue) > enough"))
mutant(
    "the_newest_has_waited",
    [BROKERS, OLDEST],
    ("arrived_ms[queue[0]] + linger_ms <= now_ms", "arrived_ms[queue[-1]] + linger_ms <= now_ms"),
    ("send(queue, arrived_ms[queue[0]] + linger_ms)", "send(queue, arrived_ms[queue[-1]] + linger_ms)"),
)
mutant(
    "left_behind",
    [BROKERS, OLDEST, SENT],
    ("    send_due_queues(math.inf)\n", ""),
    ("sent_ms[number] - at_ms for number", "sent_ms.get(number, at_ms) - at_ms for number"),
)

survivor(
    "waiting_ms",
    "if len(queue) == enough:",
    "if len(queue) >= enough:",
    reason="equivalent: messages are added one by one",
)
