"""The page of `./lab system up --virtual` in a browser: it names every fault, fits narrow windows, and needs no mouse.

The test needs Chromium and playwright. On a machine without them it is skipped with the reason; with CI=true it fails,
so a missing browser is found.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab09_system.page.message import FAULTS
from tests.browser.jupyterlab import browser_page, missing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
KINDS = {  # fault -> what `post_mortem` calls it
    "burst": "burst",
    "hot-key": "skew",
    "poison": "poison",
    "clock-ahead": "clock",
    "store-stopped": "slow store",
    "store-killed": "store",
    "python-worker": "worker",
    "broker": "log",
    "job": "job",
    "leader": "leader",
}
TOO_WIDE = """() => [...document.querySelectorAll("h1,h2,button,p,td,th,dd,dt,figcaption")]
  .filter(each => each.offsetParent && !each.classList.contains("unseen") && each.scrollWidth > each.clientWidth + 1)
  .map(each => each.textContent)"""
OUT_OF_ITS_BOX = """() => [...document.querySelectorAll("svg.system-map g.box")].flatMap(box => {
  const right = each => each.getBoundingClientRect().right, edge = right(box.querySelector("rect"));
  return [...box.querySelectorAll("text")].filter(each => right(each) > edge).map(each => each.textContent);
})"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a page, while its system runs; skips the test, or fails it in CI, if the browser is missing."""
    problem = missing()
    if problem and os.environ.get("CI") == "true":
        pytest.fail(problem)
    if problem:
        pytest.skip(problem)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "STREAMLAB_SERVICES": str(tmp_path)}
    command = [sys.executable, "-m", "autograder.cli", "system", "up", "--virtual"]
    with subprocess.Popen(command, stdout=-1, text=True, env=environment, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def test_each_button_injects_its_fault_and_the_page_names_it(address: str) -> None:
    with browser_page() as (page, errors):
        elsewhere = list[str]()
        page.on("request", lambda request: request.url.startswith((address, "data:")) or elsewhere.append(request.url))
        page.goto(address)
        _until(page, "Number(document.querySelector('#at_s').textContent) >= 20")
        for fault, kind in KINDS.items():
            page.get_by_role("button", name=FAULTS[fault], exact=True).click()
            _until(page, f"[...document.querySelectorAll('#incidents td')].some(each => each.textContent === '{kind}')")

        assert errors == []
        assert elsewhere == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
def test_the_page_fits_wide_and_narrow_windows_and_works_by_keyboard(address: str, width: int, scheme: str) -> None:
    with browser_page() as (page, errors):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        page.get_by_role("button", name="Burst").focus()
        page.keyboard.press("Enter")
        _until(page, "document.querySelector('#said').textContent.includes('Burst')")
        _until(page, "Number(document.querySelector('#at_s').textContent) >= 20")

        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate(OUT_OF_ITS_BOX) == []
        assert errors == []


def _until(page: Any, expression: str) -> None:
    """Wait until an expression is true; the page forbids what playwright's own wait does (its policy: no eval)."""
    deadline_s = time.monotonic() + 60
    while not page.evaluate(expression):
        assert time.monotonic() < deadline_s, expression
        page.wait_for_timeout(50)
