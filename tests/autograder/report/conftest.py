"""Sample results for the reports' tests, and a browser to open a page in."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Results = dict[str, Any]


@pytest.fixture
def sample() -> Callable[[str], Results]:
    """Read one of samples/NAME.json."""
    folder = Path(__file__).with_name("samples")
    return lambda name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def one_check() -> Callable[..., Results]:
    """Results with one failing check; keyword arguments replace its parts, and `ours` replaces parts of `streamlab`."""

    def results(ours: Results | None = None, **parts: Any) -> Results:
        check = {
            "task": "words",
            "check": "case_is_folded",
            "verdict": "fail",
            "points": 0,
            "max_points": 2,
            "sentence": "Expected a; yours is A.",
            **parts,
        }
        streamlab = {"lab": "lab01_wordcount", "submission": "mine.ipynb", "sandbox": "bubblewrap", "checks": [check]}
        return {"score": 0, "max_score": 2, "tests": [], "streamlab": {**streamlab, **(ours or {})}}

    return results


HOSTILE = [
    "<script>alert(1)</script>",
    "</style><script>alert(2)</script>",
    "</title></pre></textarea><img src=https://example.org/x onerror=alert(3)>",
    '" onmouseover="alert(4)" x="',
    "javascript:alert(5)",
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "\x00\x08\r\x7f",
    "\u202epass 99/99\u2066\u200b\u00a0\u2028\ufeff",
    "\ud800",
    "[red]markup[/red] :boom:",
    "a" + "\u0301" * 50,
    "x" * 1_000_000,
]


@pytest.fixture
def hostile() -> list[str]:
    """Texts with which a submission could control a terminal or a page, or mislead its reader."""
    return HOSTILE


@pytest.fixture
def hostile_results(sample: Callable[[str], Results]) -> list[Results]:
    """Results in which every text is hostile, one object for each text."""
    return [_with_every_text(sample("every_verdict"), text) for text in HOSTILE]


_UNCHANGED = {"verdict", "sandbox"}


def _with_every_text(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: each if key in _UNCHANGED else _with_every_text(each, text) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_every_text(each, text) for each in value]
    return text if isinstance(value, str) else value


@pytest.fixture(scope="module")  # closed before other tests open theirs: Playwright allows one at a time
def chromium() -> Iterator[Any]:
    """A browser; if none is installed, the test is skipped, or fails in CI."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), "")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = ""
    if not program:
        missing = "Chromium and the Python package playwright are needed to open the page"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=options)
        yield browser
        browser.close()


@pytest.fixture
def browsed(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Open a file; `page.requests` and `page.complaints` list its requests and its messages."""
    pages = []

    def open_page(file: Path, width: int = 1200, scheme: str = "light") -> Any:
        page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.requests, page.complaints = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (page.complaints.append(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri())
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
