"""The grid that came with the kit: whole, each cell beside its limit, with the checksum that its page names."""

import hashlib
import itertools
import re
from pathlib import Path

import pytest

from streamlab.experiments.grid import MINUTES
from streamlab.experiments.recorded import RECORDED, recorded_grid


def test_it_has_every_cell_of_the_default_plan_and_none_is_above_its_limit() -> None:
    cells = recorded_grid()

    measured = {(cell.integration, cell.size_bytes, cell.cpu_s) for cell in cells}
    assert measured == set(itertools.product(("tcp", "file", "kafka"), MINUTES.sizes, MINUTES.cpu_s))
    assert all(cell.rate_per_s <= cell.limit_per_s for cell in cells)
    assert all(cell.error is None for cell in cells)


def test_its_page_names_its_checksum() -> None:
    page = (RECORDED.parent / "README.md").read_text(encoding="utf-8")

    assert re.findall(r"`([0-9a-f]{64})`", page) == [hashlib.sha256(RECORDED.read_bytes()).hexdigest()]


@pytest.mark.parametrize("content", ["", "{}", '{"cells": [{"size": 1}]}', "[]"])
def test_a_file_that_is_no_grid_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    path.write_text(content)

    with pytest.raises(ValueError, match="holds no grid"):
        recorded_grid(path)
