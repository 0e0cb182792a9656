"""Lower bounds on worker-seconds: how much each kind of knowledge saves."""

from collections.abc import Sequence

import pytest

from streamlab.lab07_irm.bounds import clairvoyant_worker_s, ideal_worker_s
from streamlab.lab07_irm.clock import Job, Run, Second
from streamlab.lab07_irm.workloads import burst_then_trickle, pictures, thesis


def by_sum(sizes: Sequence[int], capacity: int) -> int:
    return -(-sum(sizes) // capacity)


def test_the_ideal_puts_the_work_of_each_second_on_the_fewest_workers() -> None:
    measured = [[500, 500], [600, 500], [0, 0]]  # 1, 2 and 0 workers

    assert ideal_worker_s(Run([Second(at, 0, 0, 2, 2, [], cpu) for at, cpu in enumerate(measured)])) == 3


def test_clairvoyant_counts_the_workers_of_each_second_with_running_messages() -> None:
    jobs = [Job(0, "cells", 600, 2), Job(0.5, "cells", 600, 2)]  # together only in second 1

    assert clairvoyant_worker_s(jobs, by_sum) == 1 + 2 + 1


def test_clairvoyant_packs_the_sizes_that_run_together() -> None:
    calls: list[tuple[list[int], int]] = []

    def one_each(sizes: Sequence[int], capacity: int) -> int:
        calls.append((sorted(sizes), capacity))
        return len(sizes)

    found = clairvoyant_worker_s([Job(3, "a", 600, 1), Job(3, "b", 450, 2)], one_each, capacity=2000)

    assert found == 3
    assert calls == [([450, 600], 2000), ([450], 2000)]


@pytest.mark.parametrize(
    ("jobs", "clairvoyant"), [(thesis(), 2760), (pictures(), 425), (burst_then_trickle(), 358), ([], 0)]
)
def test_clairvoyant_needs_at_least_the_time_of_all_work(jobs: list[Job], clairvoyant: int) -> None:
    work = sum(job.cpu * job.busy_s for job in jobs)

    assert clairvoyant_worker_s(jobs, by_sum) == clairvoyant >= work / 1000
