"""Pictures of a class, and their descriptions in words."""

import re

import pytest

from autograder.report.class_page.members import members_of
from autograder.report.class_page.overview import Overview
from autograder.report.class_page.pictures import histogram, share_bar, throughput_strip
from autograder.report.class_page.throughput import throughput_of_class
from autograder.report.pages import style
from tests.autograder.report.class_page.conftest import check, marks_of, results, student, throughput


def _strip(*ratios: float) -> str:
    students = [
        student(f"s{at}", results(check("pass"), throughput=[throughput(each)])) for at, each in enumerate(ratios)
    ]
    return str(throughput_strip(throughput_of_class(members_of(marks_of(*students)))[0], "strip"))


def _dots(svg: str) -> list[tuple[float, float, float]]:
    found = re.findall(r'<circle class="dot[^"]*" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', svg)
    return [(float(x), float(y), float(r)) for x, y, r in found]


def _histogram(*points: float) -> str:
    students = [student(f"s{at}", results(), each) for at, each in enumerate(points)]
    return str(histogram(Overview(members_of(marks_of(*students)), 10.0), "spread"))


def test_a_histogram_has_a_description_in_words() -> None:
    assert "4 marks, the highest first; from 9 to 10 points: 2; from 3 to 4 points: 1; from 0 to 1 points: 1." in (
        _histogram(9.0, 10.0, 3.0, 0.0)
    )


def test_every_kind_of_shape_has_a_rule_in_the_style_sheets() -> None:
    drawn = _histogram(9.0, 3.0) + _strip(1.0, 2.0) + str(share_bar([("right", 1), ("wrong", 2), ("open", 3)]))

    sheets = style("class")
    kinds = {kind for kinds in re.findall(r'class="([^"]+)"', drawn) for kind in kinds.split()}
    assert {kind for kind in kinds if f".{kind} {{" not in sheets and f".{kind}," not in sheets} <= {"tick", "chart"}


def test_the_longest_bar_is_the_bin_with_the_most_marks() -> None:
    heights = [float(each) for each in re.findall(r'class="bar"[^>]* height="([\d.]+)"', _histogram(9.0, 9.5, 1.0))]

    assert heights == [65.0, 130.0]


@pytest.mark.parametrize("ratios", [(1.0,), (0.5, 1.25, 3.0), tuple(1.2 + at / 1000 for at in range(60))])
def test_every_ratio_is_a_dot_and_no_dot_covers_another(ratios: tuple[float, ...]) -> None:
    dots = _dots(_strip(*ratios))

    are_apart = [
        ((x - u) ** 2 + (y - v) ** 2) ** 0.5 >= 2 * r - 0.2
        for at, (x, y, r) in enumerate(dots)
        for u, v, _ in dots[at + 1 :]
    ]
    assert len(dots) == len(ratios)
    assert all(are_apart)


@pytest.mark.parametrize("count", [1, 30, 200])
def test_every_dot_is_inside_the_picture(count: int) -> None:
    svg = _strip(*([1.0] * count))

    width, height = (float(each) for each in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
    assert all(r <= x <= width - r and r <= y <= height - r for x, y, r in _dots(svg))


def test_dots_below_the_threshold_are_hollow() -> None:
    svg = _strip(1.24, 1.25, 1.26)

    assert (svg.count('class="dot dot-below"'), svg.count('class="dot"')) == (1, 2)


def test_an_outlier_does_not_squeeze_the_other_ratios() -> None:
    dots = _dots(_strip(1.0, 2.0, 900_000.0))

    assert abs(dots[1][0] - dots[2][0]) > 60


@pytest.mark.parametrize(("counts", "parts"), [((0, 0, 0), 0), ((5, 0, 0), 1), ((3, 1, 1), 3)])
def test_a_share_has_a_part_for_each_count_that_is_not_0(counts: tuple[int, int, int], parts: int) -> None:
    assert str(share_bar(list(zip(("right", "wrong", "open"), counts, strict=True)))).count("<rect") == parts
