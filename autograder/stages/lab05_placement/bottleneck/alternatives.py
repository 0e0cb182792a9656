"""Other right solutions of `throughput`; each must get full marks."""

from collections import defaultdict

from autograder.checks.mutant_markers import alternative


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
