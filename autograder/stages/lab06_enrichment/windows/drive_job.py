"""Drives the paper's job: payments on Kafka are enriched by `enrich_partitioned`, and put into `fraud_windows`.

The job is killed with SIGKILL and started again. Its store is the counterpart's, with a server in this process.
"""

from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

from autograder.inside.counterparts import Ask
from autograder.inside.servers import own_server
from autograder.stages.lab06_enrichment.clients.drive_outside import OutsideServer
from autograder.stages.lab06_enrichment.clients.drive_payments import UnboundedCache, payments_of
from streamlab.lab06_enrichment.fraud_job import Found, Parts, killed_once
from streamlab.lab06_enrichment.store_server import StoreClient

PARTITIONS = 2


def by_checksum(account: bytes, partitions: int) -> int:
    """Return the stub's partition of an account."""
    return crc32(account) % partitions


def found_on_kafka(stage: Any, spark: Any, case: Any, write_once: Any, folder: Path, outside: Ask) -> Found:
    """Return what the job has written after it was killed once; raises NoStream."""
    server = OutsideServer(outside)
    outside("begin")
    enrich = partial(
        stage.enrich_partitioned,
        partitions=PARTITIONS,
        partition_of=by_checksum,
        open_store=partial(StoreClient, server.address),
        open_cache=UnboundedCache,
    )
    parts = Parts(enrich, partial(stage.fraud_windows, watermark_s=case["watermark_s"]), write_once)
    try:
        return killed_once(parts, spark, own_server("kafka").address, payments_of(case), folder)
    finally:
        server.close()
