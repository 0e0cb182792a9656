"""The report page in a browser, and the contrast of its colours (WCAG 2.2, level AA)."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.report.html import write_html
from autograder.report.pages import PAGE
from tests.autograder.report.html_page import all_focused

Results = dict[str, Any]
CSS = "".join(each.read_text(encoding="utf-8") for each in sorted(PAGE.glob("*.css")))
VERDICTS = ("pass", "fail", "error", "timeout", "inconclusive", "skipped")
SCHEMES = ("light", "dark")

TEXT_PAIRS = [
    *[(text, ground) for text in ("text", "muted", "accent") for ground in ("page", "card")],
    ("text", "sunk"),
    ("text", "mark"),
    *[(verdict, f"{verdict}-soft") for verdict in VERDICTS],
]
GRAPHIC_PAIRS = [
    *[(line, ground) for line in ("graphic", "graphic-second") for ground in ("card", "band")],
    ("graphic-other", "card"),
    ("graphic", "track"),
]


def _palette(scheme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", light if scheme == "light" else dark))


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_the_contrast_of_the_standard() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_text_has_enough_contrast_to_its_background(text: str, ground: str, scheme: str) -> None:
    palette = _palette(scheme)

    assert _contrast(palette[text], palette[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("line", "ground"), GRAPHIC_PAIRS)
def test_a_graphic_has_enough_contrast_to_its_background(line: str, ground: str, scheme: str) -> None:
    palette = _palette(scheme)

    assert _contrast(palette[line], palette[ground]) >= 3


def test_both_schemes_define_every_colour_that_is_used() -> None:
    used = set(re.findall(r"var\(--([a-z-]+)\)", CSS))

    assert used == set(_palette("light")) == set(_palette("dark"))


@pytest.fixture
def opened(browsed: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Open the page of some results."""

    def open_page(results: list[Results], width: int = 1200, scheme: str = "light") -> Any:
        file = tmp_path / "report.html"
        write_html(results, file)
        return browsed(file, width, scheme)

    return open_page


def test_the_page_sends_no_requests_and_logs_no_messages(
    opened: Callable[..., Any], sample: Callable[[str], Results]
) -> None:
    page = opened([sample("every_verdict"), sample("full_marks")])

    assert page.requests == [page.url]
    assert page.complaints == []


def test_hostile_text_runs_nothing_and_loads_nothing(
    opened: Callable[..., Any], hostile_results: list[Results]
) -> None:
    page = opened(hostile_results)

    assert page.requests == [page.url]
    assert page.complaints == []
    assert page.locator("script, img").count() == 0


def test_the_tab_key_reaches_the_skip_link_first_then_tasks_and_every_detail(
    opened: Callable[..., Any], sample: Callable[[str], Results]
) -> None:
    page = opened([sample("every_verdict")])

    order = all_focused(page)

    assert order[0] == ("A", "Skip to the verdicts")
    assert [tag for tag, _ in order[1:8]] == ["A"] * 7  # a tile for each task
    assert [text for tag, text in order if tag == "SUMMARY"] == page.locator("summary").all_inner_texts()


def test_details_open_by_keyboard_and_hold_the_whole_value(
    opened: Callable[..., Any], sample: Callable[[str], Results]
) -> None:
    page = opened([sample("every_verdict")])
    whole = page.locator(".value details").first

    whole.locator("summary").focus()
    page.keyboard.press("Enter")

    assert '("word119", 1)]' in whole.locator("pre").inner_text()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_follows_the_scheme_of_the_reader(
    scheme: str, opened: Callable[..., Any], sample: Callable[[str], Results]
) -> None:
    page = opened([sample("full_marks")], scheme=scheme)

    colour = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(_palette(scheme)["page"][at : at + 2], 16) for at in (1, 3, 5))
    assert colour == f"rgb({red}, {green}, {blue})"


@pytest.mark.parametrize("width", [320, 400, 700, 1200])
def test_the_page_is_not_wider_than_the_window(
    width: int, opened: Callable[..., Any], hostile_results: list[Results], sample: Callable[[str], Results]
) -> None:
    page = opened([*hostile_results, sample("every_verdict")], width=width)

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_printing_leaves_out_the_navigation_links(opened: Callable[..., Any], sample: Callable[[str], Results]) -> None:
    page = opened([sample("full_marks")])

    page.emulate_media(media="print")

    assert not page.locator("nav").first.is_visible()
    assert page.locator(".chart").first.is_visible()
