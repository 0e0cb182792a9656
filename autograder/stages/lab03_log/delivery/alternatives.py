"""Other correct solutions of `consume`, `deduplicate`; each must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab03_log.wire.batches import records_of


# Each poll is a list of steps that are carried out in order.
@alternative("steps_in_a_list")
def consume(log, offsets, handle, commit, max_bytes=4096):
    if commit == "before":
        in_order = lambda done, work: [done, *work]  # noqa: E731
    elif commit == "after":
        in_order = lambda done, work: [*work, done]  # noqa: E731
    else:
        raise ValueError(f"expected before or after, got {commit}")
    count, at = 0, offsets.committed()
    while True:
        polled = log.read(at, max_bytes)
        if not polled:
            return count
        here = [record for batch in polled for record in records_of(batch.data) if not record.offset < at]
        at = max(batch.base_offset + batch.records for batch in polled)
        for step, argument in in_order((offsets.commit, at), [(handle, record) for record in here]):
            step(argument)
        count += len(here)


# A function that says whether a delivery is new, and remembers it if it is.
@alternative("filter")
def deduplicate(deliveries, next_offset):
    def is_new(delivery):
        partition, record = delivery
        expected = next_offset.setdefault(partition, 0)
        next_offset[partition] = max(expected, record.offset + 1)
        return record.offset >= expected

    return list(filter(is_new, deliveries))
