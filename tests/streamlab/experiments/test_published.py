"""Published figures are read as they are written, and each has its source."""

import csv

import pytest

from streamlab.experiments.published import DATASETS, published

FILES = sorted(DATASETS.glob("*/published/*.csv"))


def test_values_of_several_series_come_together() -> None:
    expected = {"1": (570, 670), "4": (2630, 3150), "8": (4900, 6170)}
    assert published("lab05_placement", "upm_cep", "unaware", "aware") == expected


def test_an_unknown_series_is_named() -> None:
    with pytest.raises(KeyError, match="no series 'speed'"):
        published("lab05_placement", "upm_cep", "speed")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_figure_says_how_it_was_read_and_comes_once(path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert rows
    assert all(all(row.values()) and float(row["y"]) >= 0 for row in rows)
    assert len({(row["series"], row["x"]) for row in rows}) == len(rows)
    assert path.name in (path.parent / "README.md").read_text(encoding="utf-8")
