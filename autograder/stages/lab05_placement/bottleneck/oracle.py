"""The right rates: the time of each instance, summed over its senders."""

from typing import Any

Problem = dict[str, Any]


def events_per_s(case: Problem) -> float | None:
    """Return source events per second; None if nobody is busy, or an instance has no node of the machine."""
    nodes, rows, placement = case["machine"]["nodes"], case["machine"]["rows"], case["placement"]
    receivers = {receiver for _, receiver, _ in case["traffic"]}
    placed_senders = {sender for sender, _, _ in case["traffic"]} & placement.keys()
    if any(placement.get(instance) not in nodes for instance in receivers | placed_senders):
        return None
    times = []
    for busy in {receiver for _, receiver, _ in case["traffic"]}:
        own = [(sender, tuples) for sender, receiver, tuples in case["traffic"] if receiver == busy]
        row = rows[nodes.index(placement[busy])]
        waits = [row[nodes.index(placement[s])] if s in placement else 10 for s, _ in own]
        read = sum(tuples * wait / 10 for (_, tuples), wait in zip(own, waits, strict=True))
        times.append(case["cpu_us"] * sum(tuples for _, tuples in own) + case["memory_us"] * read)
    return 1e6 / max(times) if max(times, default=0) > 0 else None
