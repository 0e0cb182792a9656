"""Right rows for every case of Lab 3, made by its oracles, for the tests of its checks."""

from collections import Counter
from typing import Any

from autograder.checks import load_stage
from autograder.stages.lab02_windows.oracle_tweets import hashtags
from autograder.stages.lab03_log import (
    oracle_delivery,
    oracle_log,
    oracle_partitions,
    oracle_rates,
    oracle_streams,
)

LAB = "lab03_log"
STAGE = load_stage(LAB)
CHECKS = {check.name: check for check in STAGE.checks}
COLUMNS = ["start", "end", "key", "count"]
REFUSED = {"rejected": "ValueError"}

Case = dict[str, Any]
Rows = dict[str, Any]


def sentence(name: str, case: Case, rows: Rows) -> str | None:
    """What a check says, or None where it holds."""
    mismatch = CHECKS[name].judge(case, rows)
    return mismatch.sentence if mismatch else None


def log_rows(case: Case) -> Rows:
    if "each_byte" in case:
        size = len(oracle_log.bytes_of(case["batches"][-1]))
        end = oracle_log.before_the_last(case["batches"])
        return {"ends": [end] * size, "kept": [True] * size, "last_batch_bytes": size}
    if "kill_after" in case:
        return {"acknowledged": case["kill_after"] + 3, "kept": case["kill_after"] + 4, "values_right": True}
    if min(case["segment_bytes"], case["index_bytes"]) < 1:
        return REFUSED
    return {"answers": [as_row(answer) for answer in oracle_log.answers(case)]}


def as_row(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer as a drive gives it: a rejection with a text, a read with the bytes that it took."""
    if answer.get("rejected") in ("ValueError", "CorruptBatch"):
        names = " and ".join([*answer.get("files", []), answer.get("file", "")])
        return {"rejected": answer["rejected"], "text": f"/tmp/3/{names}: position {answer.get('position')} is wrong"}
    if "batches" in answer:
        return {"batches": answer["batches"], "bytes_read": answer["most_bytes_read"]}
    return answer


def partition_rows(case: Case) -> Rows:
    keys = [bytes.fromhex(key) for key in case.get("keys_hex", [])] or [key.encode() for key in case.get("keys", [])]
    given = [oracle_partitions.partition_for(key, case["partitions"]) for key in keys]
    return REFUSED if None in given else {"partitions": given}


def sticky_rows(case: Case) -> Rows:
    """By the rule that serves the least loaded of the others."""
    partitions, batch_bytes, sizes = case["partitions"], case["batch_bytes"], case["sizes"]
    if partitions < 1 or batch_bytes < 1 or min(sizes) < 0:
        return REFUSED
    loads, at, full, chosen = [0] * partitions, 0, 0, []
    for size in sizes:
        if full >= batch_bytes:
            others = [each for each in range(partitions) if each != at] or [0]
            at, full = min(others, key=lambda each: loads[each]), 0
        loads[at] += size
        full += size
        chosen.append(at)
    return {"chosen": chosen}


def assign_rows(case: Case) -> Rows:
    """Everybody keeps what there is room for, the larger owners a partition more; the rest goes where there is room."""
    partitions, members, previous = case["partitions"], case["members"], case["previous"]
    if partitions < 0 or len(set(members)) < len(members):
        return REFUSED
    if not members:
        return {"assigned": {}, "same_in_every_order": True}
    owned = oracle_partitions.owned(partitions, members, previous)
    counts = Counter(owned.values())
    share, larger = divmod(partitions, len(members))
    room = {
        name: share + (number < larger)
        for number, name in enumerate(sorted(members, key=lambda each: (-counts[each], each)))
    }
    assigned: dict[str, list[int]] = {name: [] for name in members}
    for each, name in owned.items():
        if len(assigned[name]) < room[name]:
            assigned[name].append(each)
    kept = {each for mine in assigned.values() for each in mine}
    for each in sorted(set(range(partitions)) - kept):
        next(mine for name, mine in assigned.items() if len(mine) < room[name]).append(each)
    return {"assigned": {name: sorted(mine) for name, mine in assigned.items()}, "same_in_every_order": True}


def consume_rows(case: Case) -> Rows:
    if "texts" in case:
        return {"tags": dict(Counter(tag for text in case["texts"] for tag in hashtags(text)))}
    if case["commit"] not in ("before", "after"):
        return REFUSED
    told = oracle_delivery.consumed(**case)
    return {
        "handled": told.handled,
        "first_run": told.first_run,
        "commits": told.commits,
        "polls": 1,
        "returned": told.returned,
    }


def deduplicate_rows(case: Case) -> Rows:
    applied, next_offset = oracle_delivery.applied(case["deliveries"], case["next_offset"])
    return {"applied": applied, "next_offset": next_offset}


def membership_rows(case: Case) -> Rows:
    everybody = sorted(case["members"])
    if case["kind"] == "offsets":
        group, [me, *_], [_, offset] = (
            case.get("group", "g"),
            case["members"],
            min(case["commits"], key=lambda each: each[1]),
        )
        if not group or not me or "/" in group + me or offset < 0:
            return {"kind": "offsets", **REFUSED}
        committed = oracle_streams.committed(case["commits"], case["partitions"])
        return {"kind": "offsets", "committed": committed, "persistent": True, "rejected": None}
    gone = case.get("kill") or case.get("leave")
    left = oracle_streams.left(case["members"], gone) if gone else everybody
    rejected = "TimeoutError" if case["kind"] == "same_name" else None
    seen = [[], everybody, left]
    return {"kind": case["kind"], "seen": seen, "members": left, "rejected": rejected, "ephemeral": True}


def counts_rows(case: Case) -> Rows:
    if case["window_s"] <= 0 or case["watermark_s"] < 0:
        return REFUSED
    counts = oracle_streams.kafka_counts(case["records"], case["window_s"])
    windows = [[float(start), float(end), key, count] for (start, end, key), count in counts.items()]
    return {"columns": COLUMNS, "windows": windows, "restarts": 1}


def write_rows(case: Case) -> Rows:
    writes = case["writes"]
    if any(batch_id < 0 for batch_id, *_ in writes):
        return REFUSED
    after = [oracle_streams.readable_after(writes[:count])[1] or None for count in range(1, len(writes) + 1)]
    return {"rows": oracle_streams.written(writes), "after_each": after}


def search_rows(case: Case) -> Rows:
    told = oracle_rates.search(case)
    return {"rejected": told.rejected} if told.rejected else {"rate": told.rate, "runs": told.runs}


def limit_rows(case: Case) -> Rows:
    limit = oracle_rates.rate_limit(**case)
    return REFUSED if limit is None else {"rate_per_s": limit[0], "bound": limit[1]}


RIGHT = {
    "PartitionLog": log_rows,
    "partition_for": partition_rows,
    "StickyPartitioner": sticky_rows,
    "assign": assign_rows,
    "consume": consume_rows,
    "deduplicate": deduplicate_rows,
    "Membership": membership_rows,
    "kafka_counts": counts_rows,
    "write_once": write_rows,
    "highest_rate": search_rows,
    "rate_limit": limit_rows,
}
