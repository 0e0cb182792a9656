"""The kit's recorded measurements: complete, with each cell's rate and limit, and with checksums on their pages."""

import hashlib
import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from streamlab.experiments.grid import MINUTES, RECORDED, recorded_grid
from streamlab.lab07_irm.experiments.peer_to_peer import NAME
from streamlab.lab07_irm.experiments.pictures import MOST
from streamlab.lab07_irm.experiments.recorded import PICTURES, recorded_peer_to_peer, recorded_pictures


def test_the_grid_has_every_cell_of_the_default_plan_and_none_exceeds_its_limit() -> None:
    cells = recorded_grid()

    measured = {(cell.integration, cell.size_bytes, cell.cpu_s) for cell in cells}
    assert measured == set(itertools.product(("tcp", "file", "kafka"), MINUTES.sizes, MINUTES.cpu_s))
    assert all(cell.rate_per_s <= cell.limit_per_s for cell in cells)
    assert all(cell.error is None for cell in cells)


def test_the_harmonic_column_has_every_cell_and_none_exceeds_its_limit() -> None:
    cells = recorded_peer_to_peer()

    measured = {(cell.integration, cell.size_bytes, cell.cpu_s) for cell in cells}
    assert measured == set(itertools.product((NAME,), MINUTES.sizes, MINUTES.cpu_s))
    assert all(0 < cell.rate_per_s <= cell.limit_per_s for cell in cells)


def test_all_pictures_were_measured_on_each_system_with_its_own_cores() -> None:
    runs = recorded_pictures()

    assert [run.system for run in runs] == ["HarmonicIO", "Spark, static", "Spark, dynamic", "Spark, SparkScaler"]
    assert len({run.right for run in runs}) == 1
    assert all(0 < run.used_share <= 1 for run in runs)
    assert all(max(run.allocated) <= MOST for run in runs)


@pytest.mark.parametrize("folder", [RECORDED.parent, PICTURES.parent])
def test_a_page_has_the_checksums_of_its_files(folder: Path) -> None:
    page = (folder / "README.md").read_text(encoding="utf-8")

    checksums = [hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.json")]
    assert sorted(re.findall(r"`([0-9a-f]{64})`", page)) == sorted(checksums)


@pytest.mark.parametrize("read", [recorded_grid, recorded_pictures])
@pytest.mark.parametrize("content", ["", "{}", '{"cells": [{"size": 1}]}', "[]"])
def test_a_file_with_other_content_is_rejected(read: Callable[[Path], object], content: str, tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    path.write_text(content)

    with pytest.raises(ValueError, match=r"holds no (grid|runs)"):
        read(path)
