"""The grid of cells, with a Spark that is a formula, and its picture."""

import math
from typing import Any, NamedTuple

import pytest

from streamlab.experiments import grid
from streamlab.experiments.grid import Cell, Plan, as_json, cells_of, measure
from streamlab.experiments.picture import draw_grid, rate_text, size_text

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
    return min(
        Limit(bytes_per_s / size, "network"), Limit(cores / (cpu_s or 1e-9), "cpu"), Limit(framework, "framework")
    )


@pytest.fixture
def cells(monkeypatch: pytest.MonkeyPatch) -> list[Cell]:
    monkeypatch.setattr(grid, "loopback_bytes_per_s", lambda: 1e9)
    monkeypatch.setattr(grid, "file_bytes_per_s", lambda: 1e8)
    monkeypatch.setattr(grid, "framework_per_s", lambda *_: 1e5)
    monkeypatch.setattr(grid, "mean_delay_s", lambda spark, way, load, rate, *_: 0.5 if rate < 50 else math.inf)
    return list(measure(Spark(), [Way()], PLAN, highest, limited))  # type: ignore[list-item]


def highest(run: Any, start: float, interval_s: float, limit: float, most: int) -> float:
    if run(start) < interval_s:
        return start
    if start > 20_000:
        raise ValueError("too high")
    return 0.0


def test_each_cell_has_a_rate_beside_the_least_of_its_limits(cells: list[Cell]) -> None:
    assert [(cell.size_bytes, cell.cpu_s, cell.bound, cell.rate_per_s) for cell in cells] == [
        (100, 0.0, "framework", 0.0),
        (100, 0.1, "cpu", 5.0),
        (1_000_000, 0.0, "network", 0.0),
        (1_000_000, 0.1, "cpu", 5.0),
    ]
    assert [cell.error for cell in cells] == ["too high", None, None, None]


def test_a_grid_is_kept_and_read_again(cells: list[Cell]) -> None:
    assert cells_of(as_json(cells, PLAN, {"cores": 2})) == cells


def test_the_picture_says_in_words_what_it_shows(cells: list[Cell]) -> None:
    picture = draw_grid(cells)

    assert "tcp, 1 MB, 0.1 s: 5 of 20 (cpu)" in picture.alt
    assert "tcp, 100 B, 0 s: too high" in picture.alt
    assert "measuring" in picture.svg
    with pytest.raises(ValueError, match="got none"):
        draw_grid([])


def test_rates_and_sizes_are_short() -> None:
    assert [rate_text(each) for each in (0.25, 33.4, 5000, 163_000)] == ["0.25", "33", "5,000", "163k"]
    assert [size_text(each) for each in (100, 10_000, 2_500_000)] == ["100 B", "10 kB", "2.5 MB"]
