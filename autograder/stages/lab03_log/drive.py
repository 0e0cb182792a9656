"""How the tasks of Lab 3 are fed: all of the judging code that a submission's sandbox can see.

Rows are plain values; whether they are right is not known here. A rejection is named by its class. How each kind of run
goes is in `drive_log`, `drive_log_faults`, `drive_consume`, `drive_group`, `drive_kafka`, `drive_table`, `drive_rates`.
"""

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, plain
from autograder.stages.lab03_log import (
    drive_consume,
    drive_group,
    drive_kafka,
    drive_log_faults,
    drive_rates,
    drive_table,
)
from autograder.stages.lab03_log.log.drive_batches import Script, as_text, in_bytes
from streamlab.wire.batches import Record


@drive("PartitionLog")
def partition_log(stage: Any, case: Any, scratch: Path) -> Rows:
    """A script's answers; or what is left after damage at each byte of the last batch; or after kill -9."""
    settings = {name: case[name] for name in ("segment_bytes", "index_bytes") if name in case}
    if "each_byte" in case:
        open_log = partial(stage.PartitionLog, **settings)
        return drive_log_faults.each_byte(open_log, case["batches"], case["each_byte"], scratch)
    if "kill_after" in case:
        return drive_log_faults.killed(stage.PartitionLog, settings, case["kill_after"], scratch)
    folder = scratch / "topics" / "log-0"  # it is missing: the log makes it
    try:
        script = Script(lambda: stage.PartitionLog(folder, **settings), folder)
    except ValueError as refusal:
        return {"rejected": type(refusal).__name__}
    return {"answers": script.answers(case["script"])}


@drive("PartitionLog.throughput")
def partition_log_throughput(stage: Any, case: Any, scratch: Path) -> Rows:
    """One turn: a file of batches, all of them appended to a new log."""
    folder = scratch / "log"
    return drive_log_faults.measured(stage.PartitionLog(folder), Path(case["path"]).read_bytes(), folder)


@drive("partition_for")
def partition_for(stage: Any, case: Any) -> Rows:
    """The partition of each key."""
    keys = [bytes.fromhex(text) for text in case["keys_hex"]] if "keys_hex" in case else map(in_bytes, case["keys"])
    try:
        return {"partitions": plain([stage.partition_for(key, case["partitions"]) for key in keys])}
    except ValueError as refusal:
        return {"rejected": type(refusal).__name__}


@drive("StickyPartitioner")
def sticky_partitioner(stage: Any, case: Any) -> Rows:
    """The partition of each record."""
    try:
        sticky = stage.StickyPartitioner(case["partitions"], case["batch_bytes"])
        return {"chosen": plain([sticky.partition(size) for size in case["sizes"]])}
    except ValueError as refusal:
        return {"rejected": type(refusal).__name__}


@drive("assign")
def assign(stage: Any, case: Any) -> Rows:
    """What each member gets, and whether it is the same when members and previous owners come in another order."""
    chance, members, previous = Random("orders"), list(case["members"]), dict(case["previous"])
    try:
        assigned = stage.assign(case["partitions"], list(members), {name: list(own) for name, own in previous.items()})
    except ValueError as refusal:
        return {"rejected": type(refusal).__name__}
    if not isinstance(assigned, dict):
        return {"returned": a_kind(assigned)}
    same = True
    for _ in range(case.get("orders", 0)):
        names = chance.sample(list(previous), len(previous))
        shuffled = {name: chance.sample(previous[name], len(previous[name])) for name in names}
        same &= stage.assign(case["partitions"], chance.sample(members, len(members)), shuffled) == assigned
    return {"assigned": plain(assigned), "same_in_every_order": same}


@drive("consume")
def consume(stage: Any, case: Any, earlier: Any) -> Rows:
    """What is handled and committed, with a crash on the way; or the hashtags of texts that lie in a log."""
    if "texts" in case:
        return drive_consume.counted_tags(stage.consume, case["texts"], earlier("lab02_windows").hashtags)
    return drive_consume.consumed(stage.consume, case)


@drive("deduplicate")
def deduplicate(stage: Any, case: Any) -> Rows:
    """What is applied of deliveries, which come in one or several parts and can be read once."""
    next_offset = {int(partition): offset for partition, offset in case.get("next_offset", {}).items()}
    deliveries = [(partition, Record(at, 0, None, in_bytes(value))) for partition, at, value in case["deliveries"]]
    applied, parts = [], case.get("parts", 1)
    for part in range(parts):
        ends = (len(deliveries) * each // parts for each in (part, part + 1))
        new = stage.deduplicate(iter(deliveries[slice(*ends)]), next_offset)
        if not isinstance(new, list):
            return {"returned": a_kind(new)}
        applied += new
    rows = [[partition, record.offset, as_text(record.value)] for partition, record in applied]
    return {"applied": plain(rows), "next_offset": plain(next_offset)}


@drive("Membership")
def membership(stage: Any, case: Any, scratch: Path) -> Rows:
    """What members of a group see on a real ZooKeeper."""
    return drive_group.grouped(stage.Membership, case, scratch)


@drive("kafka_counts")
def kafka_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """The windows of records in a real broker."""
    return drive_kafka.counted(stage.kafka_counts, spark, case, scratch)


@drive("write_once")
def write_once(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """The table after some writes."""
    return drive_table.written(stage.write_once, spark, case["writes"], scratch)


@drive("highest_rate")
def highest_rate(stage: Any, case: Any) -> Rows:
    """The highest rate of a system, and the rates that were played."""
    return drive_rates.searched(stage.highest_rate, case)


@drive("rate_limit")
def rate_limit(stage: Any, case: Any) -> Rows:
    """The limit of a rate."""
    return drive_rates.limited(stage.rate_limit, case)
