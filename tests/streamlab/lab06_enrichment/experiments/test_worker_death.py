"""Batches on Spark whose Python workers are killed between batches: hits, and latency from the intended time."""

from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from streamlab.lab06_enrichment.experiments import worker_death
from streamlab.lab06_enrichment.experiments.worker_death import KEYS_EACH, PARTITIONS, BatchRun, batches_with_kill
from streamlab.lab06_enrichment.in_workers import per_worker
from streamlab.services.base import Service
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

pytestmark = pytest.mark.slow

for module in "redis", "pandas":
    server_programs(module)


def runs_with(spark: Any, open_cache: Any, batches: int, kill_before: int) -> tuple[list[BatchRun], int]:
    """Run batches without a pause, with the reference of task 7."""
    log = reference("lab03_log")

    def enrich(rdd: Any, open_store: Any, open_cache: Any) -> Any:
        lab = reference("lab06_enrichment")
        return lab.enrich_partitioned(rdd, PARTITIONS, log.partition_for, open_store, open_cache)

    return batches_with_kill(spark, enrich, open_cache, batches=batches, kill_before=kill_before, every_s=0.0)


def test_hits_stand_beside_the_papers_from_the_kill_on() -> None:
    runs = [BatchRun(number, 10.0 * number, 1, 1) for number in (1, 2, 3)]

    assert worker_death.hits_around_kill(runs, kill_before=1, every_s=0.5) == [(-0.5, 10), (0, 20), (0.5, 30)]
    assert [hits for after_s, hits in worker_death.paper_hits() if after_s in (-6, 6, 36)] == [99, 0, 97.1]


def test_a_worker_cache_is_refilled_after_a_kill_and_batches_queue(spark: Any) -> None:
    new_cache = partial(reference("lab06_enrichment").LruCache, 3000)

    runs, killed = runs_with(spark, lambda: per_worker("test of a death", new_cache), batches=8, kill_before=4)

    hits = [each.hit_percent for each in runs]
    assert [each.number for each in runs] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert killed > 0
    for first, *later in hits[:4], hits[4:]:  # a later batch may run on a worker without its partitions' rows
        assert first < 35
        assert max(later) > 45
    assert all(0 < each.busy_ms <= each.latency_ms for each in runs)
    assert all(later.latency_ms >= before.latency_ms + later.busy_ms for before, later in pairwise(runs))


def test_a_task_cache_has_the_same_few_hits_in_every_batch(spark: Any) -> None:
    runs, _ = runs_with(spark, partial(reference("lab06_enrichment").LruCache, 3000), batches=4, kill_before=4)

    assert KEYS_EACH == 3
    assert all(20 < each.hit_percent < 30 for each in runs)


def test_a_shared_cache_survives_its_workers(spark: Any, valkey: Service) -> None:
    lab, log = reference("lab06_enrichment"), reference("lab03_log")

    def enrich(rdd: Any, open_store: Any, open_cache: Any) -> Any:
        shared = worker_death.behind_shared_cache(lab.SharedCache, valkey.address, open_store)
        return lab.enrich_partitioned(rdd, PARTITIONS, log.partition_for, shared, open_cache)

    new_cache = partial(lab.LruCache, 3000)
    runs, killed = batches_with_kill(spark, enrich, new_cache, batches=6, kill_before=4, every_s=0.0)

    assert killed > 0
    assert runs[0].hit_percent < 35
    assert min(each.hit_percent for each in runs[4:]) > 85
