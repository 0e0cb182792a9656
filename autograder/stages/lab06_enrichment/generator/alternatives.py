"""Other right solutions of `waiting_ms`; each must get full marks."""

from autograder.checks.marks import alternative


# The messages of one broker after the other.
@alternative("broker_by_broker")
def waiting_ms(bursts, partitions, brokers, enough, linger_ms):
    if partitions < 1 or brokers < 1 or enough < 1 or linger_ms < 0:
        raise ValueError("expected positive numbers, and linger_ms >= 0")
    came = [at_ms for at_ms, messages in bursts for _ in range(messages)]
    waited = [0] * len(came)
    for broker in range(brokers):
        group = []
        for number, at_ms in enumerate(came):
            if number % partitions % brokers != broker:
                continue
            if group and at_ms > came[group[0]] and at_ms - came[group[0]] >= linger_ms:
                for each in group:
                    waited[each] = came[group[0]] + linger_ms - came[each]
                group = []
            group.append(number)
            if len(group) == enough:
                for each in group:
                    waited[each] = at_ms - came[each]
                group = []
        for each in group:
            waited[each] = came[group[0]] + linger_ms - came[each]
    return waited
