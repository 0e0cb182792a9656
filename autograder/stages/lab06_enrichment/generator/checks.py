"""The checks of `waiting_ms`: the brokers' queues, when they are sent, and that no message is left."""

from autograder.checks import Case, Mismatch, Rows, claim, same_sequence
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab06_enrichment.generator import cases, oracle


def _waited(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the waiting time of each message exactly."""
    expected = oracle.waiting_ms(case)
    shape = ", ".join(f"{name}={case[name]}" for name in ("partitions", "brokers", "enough", "linger_ms"))
    call = f"waiting_ms({[tuple(each) for each in case['bursts']]}, {shape})"
    if expected is None:
        return must_reject(call, rows)
    wrong = must_answer(call, "a list", rows)
    return wrong or same_sequence(expected, rows.get("waited_ms"), what=f"the waiting times of {call}")


AFTER: dict[str, str | tuple[str, ...]] = {
    "each_broker_has_its_own_queue": "a_queue_is_sent_when_its_oldest_message_has_waited",
    "a_queue_is_sent_when_its_oldest_message_has_waited": (
        "a_queue_is_sent_when_it_holds_enough",
        "every_message_is_sent",
    ),
}

CLAIMS = [
    claim("waiting_ms", name, made, _waited, invariant=invariant, after=AFTER.get(name, ()))
    for name, made, invariant in (
        ("each_broker_has_its_own_queue", cases.brokers, None),
        ("a_queue_is_sent_when_it_holds_enough", cases.enough, None),
        ("a_queue_is_sent_when_its_oldest_message_has_waited", cases.oldest, 13),
        ("every_message_is_sent", cases.all_sent, None),
    )
]
