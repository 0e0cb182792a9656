"""Play a sequence of events on a learner's `ReplicatedPartition`, and note its state after each of them."""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from streamlab.lab03_log.replicas import NoLeader, NotEnoughReplicas


@drive("ReplicatedPartition")
def replicated_partition(stage: Any, case: Any) -> Rows:
    """Return the states, and for each event the error that it raised."""
    return or_rejected(lambda: {"states": _states(stage.ReplicatedPartition, case)})


def _states(make: Any, case: Any) -> list[Rows]:
    partition = make(case["replicas"], case["min_isr"], case["lag_ms"])
    return [_after(partition, *event) for event in case["events"]]


def _after(partition: Any, name: str, *arguments: Any) -> Rows:
    def call() -> Rows:
        getattr(partition, name)(*arguments)
        return {}

    raised = or_rejected(call, NoLeader, NotEnoughReplicas).get("rejected")
    return {
        "raised": raised,
        "leader": plain(partition.leader),
        "isr": sorted(plain(list(partition.isr)), key=repr),
        "logs": [[plain(list(entry)) for entry in log] for log in partition.logs],
        "high_watermark": plain(partition.high_watermark),
        "acknowledged": plain(list(partition.acknowledged)),
    }
