"""The page of `./lab system up` in a browser, on real services: buttons whose faults no other test injects or names.

The judge's day injects the others. Needs Chromium and playwright, as test_system_page.py does.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab09_system.page.message import FAULTS
from tests.browser.jupyterlab import browser_page, missing
from tests.browser.test_system_page import KINDS, ROOT

pytestmark = pytest.mark.slow

PATIENCE_S = 240
PRESSED = ("clock-ahead", "store-stopped", "job")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    """The page of a real system; skips the test, or fails it in CI, if the browser is missing."""
    if problem := missing():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(problem)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "STREAMLAB_SERVICES": str(tmp_path)}
    lab = [sys.executable, "-m", "autograder.cli", "system"]
    with subprocess.Popen([*lab, "up"], stdout=-1, text=True, env=environment, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            with browser_page() as (page, errors):
                page.goto(process.stdout.readline().strip())
                yield page
                assert errors == []
        finally:
            subprocess.run([*lab, "down"], env=environment, cwd=ROOT, check=True)


def test_each_button_injects_its_fault_and_the_page_names_it_once_the_lag_is_back(page: Any) -> None:
    _until(page, lambda now: now["alerts"] and not now["down"])
    for fault in PRESSED:
        began_s = _until(page, lambda now: True)["at_s"]
        page.get_by_role("button", name=FAULTS[fault], exact=True).click()
        _until(page, partial(_is_over, kind=KINDS[fault], began_s=began_s))


def _is_over(now: Any, kind: str, began_s: int) -> bool:
    named = (each for each in now["incidents"] if each["kind"] == kind and each["from_s"] >= began_s)
    return any(each["back_s"] is not None for each in named)


def _until(page: Any, reached: Callable[[Any], object]) -> Any:
    """Wait until the page's newest message is as expected, and return it."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not ((now := page.evaluate("last")) and reached(now)):
        assert time.monotonic() < deadline_s, now
        page.wait_for_timeout(200)
    return now
