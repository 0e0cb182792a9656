"""Other right solutions of `waiting_ms`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Handles the messages of one broker after another.
@alternative("broker_by_broker")
def waiting_ms(bursts, partitions, brokers, enough, linger_ms):
    if partitions < 1 or brokers < 1 or enough < 1 or linger_ms < 0:
        raise ValueError("expected positive numbers, and linger_ms >= 0")
    arrived_ms = [at_ms for at_ms, messages in bursts for _ in range(messages)]
    waited = [0] * len(arrived_ms)
    for broker in range(brokers):
        group = []
        for number, at_ms in enumerate(arrived_ms):
            if number % partitions % brokers != broker:
                continue
            if group and at_ms > arrived_ms[group[0]] and at_ms - arrived_ms[group[0]] >= linger_ms:
                for each in group:
                    waited[each] = arrived_ms[group[0]] + linger_ms - arrived_ms[each]
                group = []
            group.append(number)
            if len(group) == enough:
                for each in group:
                    waited[each] = at_ms - arrived_ms[each]
                group = []
        for each in group:
            waited[each] = arrived_ms[group[0]] + linger_ms - arrived_ms[each]
    return waited
