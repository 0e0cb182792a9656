"""A table of numbers as a picture."""

from streamlab.views.heat_map import draw_heat_map


def test_a_small_table_shows_its_numbers_and_its_alt_text() -> None:
    picture = draw_heat_map([[10, 21], [22, 10]], "memory", "reader", "Distances", "two nodes, 21 and 22 apart")

    assert ">22<" in picture.svg
    assert "two nodes, 21 and 22 apart" in picture.svg


def test_a_large_table_shows_no_numbers() -> None:
    assert ">77<" not in draw_heat_map([[77] * 2] * 30, "x", "y", "Large", "30 rows").svg
