"""The virtual clock, with a minimal master and manager; lower bounds on worker-seconds; tables of a run."""

from collections.abc import Sequence

import pytest

from streamlab.lab07_irm.bounds import clairvoyant_worker_s, ideal_worker_s
from streamlab.lab07_irm.charts import first_engines
from streamlab.lab07_irm.clock import Job, Run, Second, Setup, simulate
from streamlab.lab07_irm.datatypes import Order, Plan, Seen, Start
from streamlab.lab07_irm.workloads import HEADERS, burst_then_trickle, figures, pictures, thesis


class OneQueue:
    """A master that stores each message and hands it to the next idle engine."""

    def __init__(self) -> None:
        self.stored_names: list[str] = []
        self.idle_engines: list[str] = []

    def offer(self, message: str, image: str) -> list[Order]:
        return [Order("store", message)]

    def stored(self, message: str) -> list[Order]:
        self.stored_names.append(message)
        return self.matched()

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        self.idle_engines.append(engine)
        return self.matched()

    def done(self, engine: str, message: str) -> list[Order]:
        return [Order("forget", message), *self.idle(engine, "")]

    def leaving(self, engine: str) -> list[Order]:
        self.idle_engines.remove(engine)
        return [Order("leave", None, engine)]

    def waiting(self, image: str) -> int:
        return len(self.stored_names)

    def matched(self) -> list[Order]:
        if not (self.stored_names and self.idle_engines):
            return []
        return [Order("hand", self.stored_names.pop(0), self.idle_engines.pop(0))]


class Fixed:
    def __init__(self, engines: int) -> None:
        self.left, self.seen = engines, list[Seen]()

    def tick(self, seen: Seen) -> Plan:
        self.seen.append(seen)
        starts = [Start(f"e{number}", "cells", 0, 250) for number in range(self.left)]
        self.left = 0
        return Plan(starts, 1, 1, [250 * len(starts)], {})


def by_sum(sizes: Sequence[int], capacity: int) -> int:
    return -(-sum(sizes) // capacity)


def test_a_message_finishes_after_the_time_of_its_work() -> None:
    run = simulate([Job(5, "cells", 250, 10)] * 2, OneQueue(), Fixed(1))

    assert run.finished == {"m0": 15, "m1": 25}


@pytest.mark.parametrize(("measures", "cpu"), [("wanted", 1200), ("used", 1000)])
def test_a_crowded_worker_divides_its_cpu_among_its_engines(measures: str, cpu: int) -> None:
    manager = Fixed(2)
    run = simulate([Job(5, "cells", 600, 10)] * 2, OneQueue(), manager, Setup(measures=measures))

    assert max(sum(each.measured) for each in run.seconds) == 1000
    assert next(seen.loads for seen in manager.seen if seen.loads) == {"cells": [(2, cpu)]}
    assert set(run.finished.values()) == {17}


def test_engines_that_are_idle_long_enough_end_and_are_reported_once() -> None:
    manager = Fixed(2)
    run = simulate([Job(5, "cells", 250, 10)], OneQueue(), manager, Setup(idle_s=5))

    assert sorted(name for seen in manager.seen for name in seen.ended) == ["e0", "e1"]
    assert run.seconds[-1].engines == 0


def test_a_worker_is_ready_after_its_boot_time() -> None:
    manager = Fixed(0)
    simulate([Job(9, "cells", 250, 10)], OneQueue(), manager, Setup(boot_s=3), until_s=6)

    assert [(seen.on, seen.ready) for seen in manager.seen] == [(0, 0), (1, 0), (1, 0), (1, 1), (1, 1), (1, 1)]


def test_figures_include_the_ideal_and_the_pure_work() -> None:
    jobs = [Job(5, "cells", 250, 10)] * 2
    found = figures(simulate(jobs, OneQueue(), Fixed(1)), jobs, by_sum)

    assert (found.makespan_s, found.work_worker_s, found.delay_p50_s, found.delay_max_s) == (25, 5.0, 20, 20)
    assert (found.ideal_worker_s, found.clairvoyant_worker_s) == (20, 10)
    assert len(HEADERS) == len(found)


def test_figures_need_a_finished_message() -> None:
    with pytest.raises(ValueError, match="got none"):
        figures(simulate([], OneQueue(), Fixed(0)), [], by_sum)


def test_workloads_have_their_documented_number_of_messages() -> None:
    assert [len(jobs) for jobs in (thesis(), pictures(), burst_then_trickle())] == [1150, 300, 190]


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


def test_first_engines_are_listed_for_workers_that_get_one() -> None:
    loads = [[0, 0, 0], [125, 0, 0], [250, 125, 0], [0, 125, 0]]
    run = Run([Second(now_s, 0, 0, 1, 1, load, load) for now_s, load in enumerate(loads)])

    assert first_engines(run) == [(0, 1, [125, 0, 0]), (1, 2, [250, 125, 0])]
    assert run.over_time("on") == [(0, 1), (1, 1), (2, 1), (3, 1)]
