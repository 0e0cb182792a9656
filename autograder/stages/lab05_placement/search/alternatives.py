"""Other right solutions of `cost`, `swap_gain` and `throughput`; each must get full marks."""

from collections import defaultdict

from autograder.checks.mutant_markers import alternative


@alternative("reader_by_reader")
def cost(placement, traffic, topology):
    total = 0.0
    for (sender, receiver), amount in traffic.items():
        try:
            reader, memory = placement[receiver], placement[sender]
            total += amount * topology.distance[reader][memory]
        except KeyError:
            raise ValueError(f"no node for {sender} or {receiver}") from None
    return total


# The cost of the affected pairs, before and after.
@alternative("by_affected_pairs")
def swap_gain(a, b, placement, links, topology):
    pairs = {}
    for mine in (a, b):
        for peer, flow in links.of(mine).items():
            pairs[mine, peer], pairs[peer, mine] = flow.sent, flow.received
    after = {**placement, a: placement[b], b: placement[a]}

    def paid(at):
        return sum(amount * topology.distance[at[reader]][at[writer]] for (writer, reader), amount in pairs.items())

    return paid(placement) - paid(after)


@alternative("receiver_by_receiver")
def throughput(placement, rates, topology, cpu_us, memory_us):
    inputs = defaultdict(list)
    for (sender, receiver), tuples in rates.items():
        inputs[receiver].append((sender, tuples))
    times = []
    for receiver, some in inputs.items():
        if receiver not in placement or placement[receiver] not in topology.cores:
            raise ValueError(f"{receiver} is not placed")
        if not all(placement[sender] in topology.cores for sender, _ in some if sender in placement):
            raise ValueError(f"a sender of {receiver} is outside the machine")
        row = topology.distance[placement[receiver]]
        reads = [tuples * (row[placement[sender]] if sender in placement else 10) for sender, tuples in some]
        times.append(cpu_us * sum(tuples for _, tuples in some) + memory_us * sum(reads) / 10)
    if not any(times):
        raise ValueError("nobody is busy")
    return 1_000_000 / max(times)
