"""The grid of cells, measured on a test double for Spark, and its picture."""

import math
from typing import Any, NamedTuple

import pytest

from streamlab.experiments.grid import MOST_HALVINGS, Cell, Plan, as_json, cells_of, starting_rate
from streamlab.experiments.grid_plot import draw_grid, rate_text, size_text
from streamlab.lab03_log.experiments import spark_grid
from streamlab.lab03_log.experiments.spark_grid import measure

PLAN = Plan((100, 1_000_000), (0.0, 0.1), interval_s=1.0, run_s=4.0)


class Limit(NamedTuple):
    rate_per_s: float
    bound: str


class Way:
    name = "tcp"


class Spark:
    class sparkContext:
        defaultParallelism = 2


def limited(size: int, cpu_s: float, cores: int, bytes_per_s: float, framework: float) -> Limit:
    by_cpu = cores / (cpu_s or 1e-9)
    return min(Limit(bytes_per_s / size, "network"), Limit(by_cpu, "cpu"), Limit(framework, "framework"))


@pytest.fixture(autouse=True)
def a_fast_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_grid, "loopback_bytes_per_s", lambda: 1e9)
    monkeypatch.setattr(spark_grid, "file_bytes_per_s", lambda: 1e8)
    monkeypatch.setattr(spark_grid, "framework_per_s", lambda *_: 1e5)


@pytest.fixture
def cells(monkeypatch: pytest.MonkeyPatch) -> list[Cell]:
    monkeypatch.setattr(spark_grid, "mean_delay_s", lambda spark, way, load, rate, *_: 0.5 if rate < 50 else math.inf)
    return list(measure(Spark(), [Way()], PLAN, highest, limited))  # type: ignore[list-item]


def test_the_search_starts_from_a_sustainable_rate_even_far_below_the_limit(cells: list[Cell]) -> None:
    assert [cell.rate_per_s < 50 for cell in cells] == [True] * 4
    assert cells[2].rate_per_s == 31.25  # halved from 250 until it is below 50, the rate that this Spark sustains


def test_a_rate_that_fails_once_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[float] = []

    def stalls_at_first(spark: Any, way: Any, load: Any, rate: float, *_: float) -> float:
        played.append(rate)
        return math.inf if len(played) == 1 else 0.5

    monkeypatch.setattr(spark_grid, "mean_delay_s", stalls_at_first)
    plan = Plan((1_000_000,), (0.1,), interval_s=1.0, run_s=4.0)

    (cell,) = measure(Spark(), [Way()], plan, highest, limited)  # type: ignore[list-item]

    assert cell.rate_per_s == 5.0
    assert played[:2] == [5.0, 5.0]


def test_the_search_for_a_start_ends_if_spark_sustains_no_rate() -> None:
    tried: list[float] = []

    def never(rate_per_s: float) -> float:
        tried.append(rate_per_s)
        return math.inf

    starting_rate(never, 1024.0, interval_s=1.0)

    assert len(tried) == MOST_HALVINGS


def highest(run: Any, start: float, interval_s: float, limit: float, most: int) -> float:
    if limit > 20_000:
        raise ValueError("too high")
    return start if run(start) < interval_s else 0.0


def test_each_cell_has_a_rate_and_the_lowest_of_its_limits(cells: list[Cell]) -> None:
    assert [(cell.size_bytes, cell.cpu_s, cell.bound, cell.rate_per_s) for cell in cells] == [
        (100, 0.0, "framework", 0.0),
        (100, 0.1, "cpu", 5.0),
        (1_000_000, 0.0, "network", 31.25),
        (1_000_000, 0.1, "cpu", 5.0),
    ]
    assert [cell.error for cell in cells] == ["too high", None, None, None]


def test_a_grid_survives_a_round_trip_through_json(cells: list[Cell]) -> None:
    assert cells_of(as_json(cells, PLAN, {"cores": 2})) == cells


def test_the_alt_text_describes_the_picture(cells: list[Cell]) -> None:
    picture = draw_grid(cells)

    assert "tcp, 1 MB, 0.1 s: 5 of 20 (cpu)" in picture.alt
    assert "tcp, 100 B, 0 s: too high" in picture.alt
    assert "measuring" in picture.svg
    with pytest.raises(ValueError, match="got none"):
        draw_grid([])


def test_rates_and_sizes_are_written_in_short_form() -> None:
    assert [rate_text(each) for each in (0.25, 33.4, 5000, 163_000)] == ["0.25", "33", "5,000", "163k"]
    assert [size_text(each) for each in (100, 10_000, 2_500_000)] == ["100 B", "10 kB", "2.5 MB"]
