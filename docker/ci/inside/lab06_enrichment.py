"""Run Lab 6's Spark jobs on both workers, unchanged: partitions, state, windows, models; then use three databases."""

import json
import socket
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from streamlab import play_files, service, session
from streamlab.lab06_enrichment import enriched
from streamlab.lab06_enrichment.cassandra_rows import CassandraStore
from streamlab.lab06_enrichment.embedded_state import CHANGE, TRANSACTION, enriched_by_state
from streamlab.lab06_enrichment.in_workers import per_worker
from streamlab.lab06_enrichment.log_lines import log_lines
from streamlab.lab06_enrichment.log_models import open_session
from streamlab.lab06_enrichment.payments import bank
from streamlab.lab06_enrichment.postgres_rows import PostgresStore
from streamlab.lab06_enrichment.shared_client import shared_client
from streamlab.lab06_enrichment.store_server import StoreClient, StoreServer
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import load_cells
from streamlab.notebooks.stages import ROOT, send_by_value

LAB, PATIENCE_S, PARTITIONS, BATCH = "lab06_enrichment", 60.0, 4, 100
JOBS, WORKERS = 4, 2
PAYMENT = "id string, account string, amount_cents long, at timestamp, flags array<string>"
LOGS = "id long, service string, content string"

spark = session("ci-enrichment", kafka=True)  # as the notebook starts it
parts = load_cells(LAB, reference_cells(ROOT, LAB), module_name="reference_on_the_cluster")
assert not parts.errors, parts.errors
send_by_value("reference_on_the_cluster")
known = bank("cluster", accounts=50)
payments = known.payments(500, rate_per_s=50, begin_ms=1000)
right = {each.id: enriched(each, [known.rows.get(key) for key in each.keys]) for each in payments}


def by_length(account: bytes, partitions: int) -> int:
    """Return a partition for an account; any function of the account will do."""
    return sum(account) % partitions


def utc(at_ms: int) -> str:
    """Return a time in the form that Spark's JSON sources read."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at_ms // 1000)) + f".{at_ms % 1000:03d}Z"


def wait_for_two_executors() -> None:
    """Wait until both workers take part."""
    deadline_s = time.monotonic() + PATIENCE_S
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:  # the driver is one of them
        assert time.monotonic() < deadline_s, "expected two executors"
        time.sleep(0.1)
    hosts = spark.sparkContext.parallelize(range(8), 8).map(lambda _: time.sleep(0.2) or socket.gethostname())  # type: ignore[func-returns-value]
    assert len(set(hosts.collect())) == 2, "expected tasks on both workers"


def partitions() -> None:
    """Run four jobs with a cache in each of two workers: each worker asks for a key at most once."""
    server, calls, new_cache = StoreServer(known.rows), [], partial(parts.LruCache, 3000)
    try:
        for _ in range(JOBS):
            asked, rdd = len(server.calls), spark.sparkContext.parallelize(payments, 3)
            stores, caches = partial(StoreClient, server.address), partial(per_worker, "ci", new_cache)
            found = parts.enrich_partitioned(rdd, PARTITIONS, by_length, stores, caches).collect()
            assert {each.transaction.id: each for each in found} == right, "wrong answers"
            calls.append(len(server.calls) - asked)
        assert server.goodbyes == server.connections == JOBS * PARTITIONS, "a store was not closed"
    finally:
        server.close()
    keys = len({key for each in payments for key in each.keys})
    assert keys <= sum(calls) <= WORKERS * keys, f"expected {keys} to {WORKERS * keys} calls, got {calls}"
    print(f"enrich_partitioned: {JOBS} jobs of {len(payments)} payments with {keys} keys: {calls} calls")


def state() -> None:
    """Join a stream of payments with a stream of rows; a closing row in each moves the watermark past all others."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder, found = Path(name), list[Any]()
        changes = [{**key._asdict(), "row": row, "seq": 0, "at": utc(1)} for key, row in known.rows.items()]
        closing = {"kind": "heartbeat", "account": "", "item": "", "row": None, "seq": 1, "at": utc(10**6)}
        rows = [{**each._asdict(), "at": utc(each.at_ms)} for each in payments]
        rows.append({**rows[0], "id": "closing", "account": "closing", "at": utc(10**6)})
        for kind, each in ("changes", [*changes, closing]), ("payments", rows):
            (folder / kind).mkdir()
            (folder / kind / "0.json").write_text("".join(f"{json.dumps(row)}\n" for row in each), encoding="utf-8")
        streams = [
            spark.readStream.schema(schema).json(str(folder / kind))
            for kind, schema in (("payments", TRANSACTION), ("changes", CHANGE))
        ]
        answers = enriched_by_state(parts.enrich_from_state, streams[0], streams[1], 0).writeStream.outputMode("append")
        saved = answers.option("checkpointLocation", str(folder / "checkpoint"))
        running = saved.foreachBatch(lambda batch, _: found.extend(batch.collect())).start()
        running.processAllAvailable()
        running.stop()
    got = {row.id: (row.recipient_row, row.device_row, row.location_row) for row in found}
    assert got == {name: each.rows for name, each in right.items()}, "wrong answers from state"
    print(f"enrich_from_state: {len(got)} payments, {len(known.rows)} rows of state")


def windows() -> None:
    """Count payments in sliding windows: each payment is in two."""
    rows = [
        {"id": each.id, "account": each.account, "amount_cents": each.amount_cents, "at": utc(each.at_ms),
         "flags": right[each.id].flags}
        for each in payments
    ]  # fmt: skip
    (answer,) = play_files(spark, PAYMENT, [rows + rows[:100]], lambda stream: parts.fraud_windows(stream, 60))
    total = sum(row.transactions for row in answer.changed)
    assert total == 2 * len(payments), f"expected {2 * len(payments)} transactions in all windows, got {total}"
    print(f"fraud_windows: {len(answer.changed)} windows, {total} transactions in them")


def models() -> None:
    """Classify lines by the models in the workers; most labels must equal those that a person gave."""
    lines = log_lines("cluster", 2000)
    frame = spark.createDataFrame([(at, each.service, each.content) for at, each in enumerate(lines)], LOGS)

    classify_logs, new_cache = parts.classify_logs, partial(parts.LruCache, 2)  # a stage cannot be sent to workers

    def classify(batches: Any) -> Any:
        return classify_logs(batches, open_session, per_worker("sessions", new_cache))

    found = frame.repartition(4).mapInPandas(classify, f"{LOGS}, label string, score double").collect()
    equal = sum(row.label == lines[row.id].label for row in found)
    assert len(found) == len(lines), f"expected {len(lines)} lines, got {len(found)}"
    assert equal > 0.9 * len(lines), f"expected labels like a person's, got {equal} of {len(lines)}"
    print(f"classify_logs: {len(found)} lines, {equal} labels as a person gave them")


def databases() -> None:
    """Check for the same answers from PostgreSQL and Cassandra, and from Redis in front of PostgreSQL."""
    for name, kind in ("postgres", PostgresStore), ("cassandra", CassandraStore):
        store = kind(service(name).address)
        store.fill(known.rows)
        some = payments[:BATCH]
        assert list(parts.enrich_batched(some, store, BATCH)) == [right[each.id] for each in some], name
        if name == "postgres":
            cached = parts.SharedCache(shared_client(service("redis").address), store, ttl_s=60)
            for _ in range(2):
                assert list(parts.enrich_batched(some, cached, BATCH)) == [right[each.id] for each in some], "redis"
        store.close()
        print(f"{name}: {BATCH} payments, right")


wait_for_two_executors()
for each_part in partitions, state, windows, models, databases:
    began_s = time.monotonic()
    each_part()
    print(f"  {time.monotonic() - began_s:.1f} s")
spark.stop()
