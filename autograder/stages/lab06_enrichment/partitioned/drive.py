"""Drives `enrich_partitioned` with transactions in some partitions, a server for the counterpart's store, and caches.

A cache is a dict of a task or of a worker. The partition function is a stub, or a table of what the learner's own of
Lab 3 returns for the case's accounts.
"""

import os
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.counterparts import Ask
from autograder.inside.patience import wait_until
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab06_enrichment.clients.drive_outside import OutsideServer
from autograder.stages.lab06_enrichment.clients.drive_payments import UnboundedCache, payments_of
from streamlab.lab06_enrichment import Enriched
from streamlab.lab06_enrichment.in_workers import per_worker
from streamlab.lab06_enrichment.python_workers import kill_python_workers
from streamlab.lab06_enrichment.store_server import StoreClient

INPUT_PARTITIONS = 3
PATIENCE_S = 5.0
PartitionOf = Callable[[bytes, int], int]


def counted_cache(folder: str) -> UnboundedCache:
    """Return a cache, and create an empty file named after the process that made it."""
    Path(folder, str(os.getpid())).touch()
    return UnboundedCache()


def by_last_byte(account: bytes, partitions: int) -> int:
    """Return the stub's partition: 7 times the last byte of the account, modulo the partitions."""
    return 7 * account[-1] % partitions


def by_table(partition_of: dict[tuple[bytes, int], int], account: bytes, partitions: int) -> int:
    """Return the partition that Lab 3 gives an account of the case."""
    return partition_of[bytes(account), partitions]


@drive("enrich_partitioned")
def enrich_partitioned(stage: Any, spark: Any, case: Any, earlier: Any, scratch: Path, outside: Ask) -> Rows:
    """Return the results of each job with their partitions, and the counts of connections."""
    partition_of: PartitionOf = by_last_byte
    if case["partition_of"] == "lab03":
        own, partitions = earlier("lab03_log").partition_for, case["partitions"]
        accounts = {each.account.encode() for each in payments_of(case)}
        partition_of = partial(by_table, {(account, partitions): own(account, partitions) for account in accounts})
    server = OutsideServer(outside)
    try:
        enrich = partial(stage.enrich_partitioned, partition_of=partition_of)
        return _jobs(enrich, spark, case, server, outside, scratch)
    finally:
        server.close()


def _jobs(enrich: Any, spark: Any, case: Any, server: OutsideServer, outside: Ask, folder: Path) -> Rows:
    from pyspark import RDD

    name, jobs = uuid.uuid4().hex, []
    new_cache = partial(counted_cache, str(folder))
    open_cache = partial(per_worker, name, new_cache) if case["cache"] == "worker" else UnboundedCache
    if case["cache"] == "worker":
        kill_python_workers()  # so that two workers run, no matter how many earlier queries needed
    for number in range(case["jobs"]):
        if case["kill_before"] == number:
            kill_python_workers()
        source = spark.sparkContext.parallelize(payments_of(case), INPUT_PARTITIONS)
        outside("begin")
        started = _jobs_so_far(spark)
        try:
            given = enrich(
                source, case["partitions"], open_store=partial(StoreClient, server.address), open_cache=open_cache
            )
        except ValueError as rejection:
            return {"rejected": type(rejection).__name__, "text": str(rejection)[:300]}
        started = _jobs_so_far(spark) - started
        if not isinstance(given, RDD):
            return {"returned": type_name(given)}
        found = [[0, each] for each in given.take(case["take"])] if case["take"] else _placed(given)
        jobs.append({"results": [_as_row(*each) for each in found], "started": started})
        jobs[-1]["workers"] = len(list(folder.iterdir()))
    _wait_for_ends(server)
    return {"jobs": jobs, "opened": server.connections, "closed": server.goodbyes}


def _placed(given: Any) -> list[Any]:
    """Return pairs of a partition and one of its results."""

    def numbered(partition: int, own: Iterable[Any]) -> Iterator[Any]:
        return ((partition, each) for each in own)

    pairs: list[Any] = given.mapPartitionsWithIndex(numbered).collect()
    return pairs


def _as_row(partition: int, each: Any) -> list[Any]:
    if not isinstance(each, Enriched):
        return [partition, type_name(each), None, None]
    return [partition, each.transaction.id, plain(list(each.rows)), plain(list(each.flags))]


def _wait_for_ends(server: OutsideServer) -> None:
    """Wait until no worker has a connection; one that stays open counts as not closed."""
    wait_until(lambda: not server.open_connections, PATIENCE_S)


def _jobs_so_far(spark: Any) -> int:
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())
