"""The class page and the leaderboard in a browser: scripts, requests, keyboard, narrow windows and colours."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom.marks import ClassMarks
from autograder.report.class_page import write_class_page, write_leaderboard
from tests.autograder.report.html_page import all_focused

Open = Callable[..., Any]


@pytest.fixture
def opened(browsed: Open, tmp_path: Path) -> Open:
    """Open the page of a class."""

    def open_page(marks: ClassMarks, width: int = 1200, scheme: str = "light") -> Any:
        write_class_page(marks, tmp_path / "class.html")
        return browsed(tmp_path / "class.html", width, scheme)

    return open_page


def test_hostile_text_runs_nothing_and_loads_nothing(opened: Open, hostile_class: ClassMarks) -> None:
    page = opened(hostile_class)

    assert page.requests == [page.url]
    assert page.complaints == []
    assert page.locator("script, img").count() == 0


def test_the_leaderboard_sends_no_requests_and_fits_a_narrow_window(
    browsed: Open, hostile_class: ClassMarks, tmp_path: Path
) -> None:
    write_leaderboard(hostile_class, tmp_path / "board.html", lambda student: student)

    page = browsed(tmp_path / "board.html", 320)

    assert (page.requests, page.complaints) == ([page.url], [])
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_the_tab_key_reaches_the_skip_link_first_and_every_group(opened: Open, four: ClassMarks) -> None:
    page = opened(four)

    order = all_focused(page)

    assert order[0] == ("A", "Skip to the class")
    assert [text for tag, text in order if tag == "SUMMARY"] == page.locator("summary").all_inner_texts()


def test_a_group_opens_by_keyboard_and_shows_its_students(
    opened: Open, large_class: Callable[[int], ClassMarks]
) -> None:
    page = opened(large_class(12))
    closed = page.locator("details.asked:not([open])").first
    handle = closed.element_handle()
    assert not handle.query_selector(".answers").is_visible()

    handle.query_selector("summary").focus()
    page.keyboard.press("Enter")

    assert handle.query_selector(".answers").is_visible()


def test_the_three_worst_checks_are_open_at_first(opened: Open, large_class: Callable[[int], ClassMarks]) -> None:
    page = opened(large_class(12))

    states = page.locator("details.asked").evaluate_all("all => all.map(each => each.open)")
    assert (states[:3], set(states[3:])) == ([True] * 3, {False})


@pytest.mark.parametrize("width", [320, 400, 700, 1000, 1400])
def test_the_page_is_not_wider_than_the_window(
    width: int, opened: Open, hostile_class: ClassMarks, large_class: Callable[[int], ClassMarks]
) -> None:
    for marks in (hostile_class, large_class(40)):
        assert opened(marks, width).evaluate("() => document.documentElement.scrollWidth") <= width


CONTRASTS = """() => [...document.querySelectorAll('main *, header *')].flatMap(each => {
  const own = [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  if (!own || !each.checkVisibility() || each.closest('.unseen')) return [];
  let ground = each;
  while (ground && /, 0\\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  const style = getComputedStyle(each), ink = each.closest('svg.chart') ? style.fill : style.color;
  return [[each.tagName + ' ' + each.textContent.trim().slice(0, 30), ink,
           getComputedStyle(ground || document.body).backgroundColor]];
})"""


def _luminance(colour: str) -> float:
    channels = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast_to_its_background(
    scheme: str, opened: Open, four: ClassMarks, large_class: Callable[[int], ClassMarks]
) -> None:
    for marks in (four, large_class(12)):
        found = opened(marks, scheme=scheme).evaluate(CONTRASTS)

        assert len(found) > 50
        assert [each for each in found if _contrast(each[1], each[2]) < 4.5] == []


def test_printing_opens_every_group_and_leaves_out_the_navigation_links(
    opened: Open, large_class: Callable[[int], ClassMarks]
) -> None:
    page = opened(large_class(12))

    page.emulate_media(media="print")

    assert page.locator("details.asked:not([open]) .answers").first.is_visible()
    assert not page.locator("nav").first.is_visible()
