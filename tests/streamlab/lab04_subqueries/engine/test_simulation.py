"""A simulation of the reference produces the rows of the centralized run, for any order of delivery."""

from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.lab04_subqueries.engine import Filter, Map, Numbered, Query, TimeWindow, centralized
from streamlab.lab04_subqueries.engine.deployment import Deployment, batches_of
from streamlab.lab04_subqueries.engine.rows import END_MS, Arrival
from streamlab.lab04_subqueries.engine.simulation import Simulation
from streamlab.lab04_subqueries.page_visits import visits

ROWS = visits("simulated", 300, rate_per_s=100, ips=9)


def hits(parts: Any) -> Query:
    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    per_ip = parts.Aggregate(["ip"], TimeWindow(500, 200), {"hits": ("COUNT", "ip")})
    query.add("hits", per_ip, ["picked"], ["per_ip"])
    query.add("most", parts.Aggregate([], TimeWindow(200, 200), {"most": ("MAX", "hits")}), ["per_ip"], ["most"])
    return query.add("busy", Filter(lambda row: row["most"] > 2), ["most"], ["busy"])


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_delivery_produces_the_centralized_rows(parts: Any, seed: int) -> None:
    query = hits(parts)
    assert Simulation(parts, query, [2, 3, 1], seed).run({"visits": ROWS}) == centralized(query, {"visits": ROWS})


def test_equal_seeds_produce_equal_runs(parts: Any) -> None:
    query = hits(parts)
    runs = [Simulation(parts, query, [2, 3, 1], seed=5) for _ in range(2)]

    assert runs[0].run({"visits": ROWS}) == runs[1].run({"visits": ROWS})
    assert (runs[0].moved, runs[0].most_kept) == (runs[1].moved, runs[1].most_kept)
    assert runs[0].moved["visits"] == runs[0].moved["picked"] == len(ROWS)


def test_another_order_of_delivery_changes_the_rows_of_an_inbox_that_does_not_wait(parts: Any) -> None:
    class Eager(parts.Inbox):  # type: ignore[misc]
        def take(self, message: Any) -> Any:
            super().take(message)
            return message.arrivals

    query = Query("visits").add("pick", Map(lambda row: {"ip": row["ip"]}), ["visits"], ["picked"])
    query.add("number", Numbered(["ip"], "n"), ["picked"], ["numbered"])
    eager = SimpleNamespace(split=parts.split, balancer=parts.balancer, Inbox=Eager)

    assert Simulation(eager, query, [3, 3], seed=1).run({"visits": ROWS}) != centralized(query, {"visits": ROWS})


@pytest.mark.parametrize("chooser", ["choose_plan", "balancer_for"])
def test_a_join_without_equal_fields_gives_each_pair_once(parts: Any, chooser: str) -> None:
    pairs = parts.Join(30, 30, lambda left, right: {"left": left["ip"], "right": right["ip"]})
    query = Query("a", "b").add("pairs", pairs, ["a", "b"], ["paired"])
    own = {"choose_plan": parts.balancer_for} if chooser == "balancer_for" else {}
    joining = SimpleNamespace(split=parts.split, balancer=parts.balancer, Inbox=parts.Inbox, **own)
    inputs = {"a": ROWS[:50], "b": ROWS[20:60]}

    assert Simulation(joining, query, [3], seed=2).run(inputs) == centralized(query, inputs)


@pytest.mark.parametrize("degrees", [[], [1, 1], [1, 1, 0], [1, 1, 1, 1]])
def test_a_number_of_instances_that_does_not_fit_is_rejected(parts: Any, degrees: list[int]) -> None:
    with pytest.raises(ValueError, match=r"for each of 3 subqueries .*'pick'.*, got \["):
        Deployment(parts, hits(parts), degrees)


def test_each_batch_carries_the_time_of_the_row_after_it() -> None:
    rows = [{"t": t} for t in (4, 1, 9)]
    batches = list(batches_of(Query("s"), {"s": rows}, rows=2))

    assert batches == [([Arrival("s", {"t": 1}), Arrival("s", {"t": 4})], 9), ([Arrival("s", {"t": 9})], END_MS)]


def test_a_source_without_rows_still_promises_the_end() -> None:
    assert list(batches_of(Query("s"), {}, rows=2)) == [([], END_MS)]
