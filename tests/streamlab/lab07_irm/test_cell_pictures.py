"""Pictures of cells: every drawn cell is found."""

from itertools import combinations

import pytest

from streamlab.lab07_irm.cell_pictures import cell_picture, measure
from tests.streamlab.lab07_irm.conftest import need_scikit_image

need_scikit_image()


@pytest.mark.parametrize(("seed", "cells", "size"), [(1, 0, 128), (1, 1, 128), (2, 8, 128), (3, 20, 192), (4, 90, 384)])
def test_all_drawn_cells_are_found(seed: int, cells: int, size: int) -> None:
    found, granularity = measure(cell_picture(seed, cells, size))

    assert len(found) == cells
    assert all(30 < cell.area_px < 300 and 0 < cell.intensity <= 1 for cell in found)
    assert len(granularity) == 8


def test_equal_seeds_give_equal_pictures_and_other_seeds_other_pictures() -> None:
    pictures = [cell_picture(seed, 5, 128) for seed in (1, 1, 2)]

    assert [a == b for a, b in combinations(pictures, 2)] == [True, False, False]


@pytest.mark.parametrize("content", [b"", b"no picture"])
def test_content_that_is_not_an_image_raises_value_error(content: bytes) -> None:
    with pytest.raises(ValueError, match="expected an image"):
        measure(content)


def test_a_truncated_image_raises_value_error() -> None:
    with pytest.raises(ValueError, match="damaged"):
        measure(cell_picture(1, 5, 128)[:300])
