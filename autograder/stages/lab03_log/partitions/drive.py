"""Drive `partition_for`, `StickyPartitioner` and `assign` with keys, record sizes and groups."""

from random import Random
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab03_log.log.drive_batches import in_bytes


@drive("partition_for")
def partition_for(stage: Any, case: Any) -> Rows:
    """Return the partition of each key."""
    keys = [bytes.fromhex(text) for text in case["keys_hex"]] if "keys_hex" in case else map(in_bytes, case["keys"])
    return or_rejected(lambda: {"partitions": plain([stage.partition_for(key, case["partitions"]) for key in keys])})


@drive("StickyPartitioner")
def sticky_partitioner(stage: Any, case: Any) -> Rows:
    """Return the partition of each record."""

    def chosen() -> Rows:
        sticky = stage.StickyPartitioner(case["partitions"], case["batch_bytes"])
        return {"chosen": plain([sticky.partition(size) for size in case["sizes"]])}

    return or_rejected(chosen)


@drive("assign")
def assign(stage: Any, case: Any) -> Rows:
    """Return the partitions of each member, and whether the order of members and previous owners changes them."""
    partitions, members, previous = case["partitions"], list(case["members"]), dict(case["previous"])
    rng = Random("orders")

    def assigned() -> Rows:
        first = stage.assign(partitions, list(members), {name: list(own) for name, own in previous.items()})
        if not isinstance(first, dict):
            return {"returned": type_name(first)}
        for _ in range(case.get("orders", 0)):
            names = rng.sample(list(previous), len(previous))
            shuffled = {name: rng.sample(previous[name], len(previous[name])) for name in names}
            mixed = rng.sample(members, len(members))
            again = stage.assign(partitions, list(mixed), {name: list(own) for name, own in shuffled.items()})
            if again != first:
                other = {"members": mixed, "previous": shuffled, "assigned": plain(again)}
                return {"assigned": plain(first), "same_in_every_order": False, "other": other}
        return {"assigned": plain(first), "same_in_every_order": True}

    return or_rejected(assigned)
