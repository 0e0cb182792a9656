"""The page of `./lab system up --virtual` in a browser: it names every fault, fits narrow windows, needs no mouse, and
works behind a proxy.

The test needs Chromium and playwright. On a machine without them it is skipped with the reason; with CI=true it fails,
so a missing browser is found.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab09_system.page.message import FAULTS
from tests.browser.jupyterlab import browser_page, missing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "/user/ada/"
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


def test_the_page_moves_and_takes_faults_behind_the_proxy_of_a_hub(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", PREFIX)
    path = request.getfixturevalue("address").partition("followed by ")[2]

    with proxied() as hub, browser_page() as (page, errors):
        page.goto(hub + path)
        page.get_by_role("button", name="Burst").click()
        _until(page, "document.querySelector('#said').textContent.includes('Burst')")
        _until(page, "Number(document.querySelector('#at_s').textContent) >= 20")

        assert errors == []


class Proxy(BaseHTTPRequestHandler):
    """Passes on what is below PREFIX/proxy/PORT/ with the browser's own headers, as jupyter-server-proxy does."""

    def do_GET(self) -> None:
        """Pass a request on, and each part of the answer as it comes."""
        port, _, path = self.path.removeprefix(f"{PREFIX}proxy/").partition("/")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with closing(HTTPConnection("127.0.0.1", int(port), timeout=60)) as upstream:
            upstream.request(self.command, f"/{path}", body, dict(self.headers))
            answer = upstream.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name not in ("Transfer-Encoding", "Connection"):
                    self.send_header(name, value)
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # the page was closed
                while part := answer.read1():
                    self.wfile.write(part)

    do_POST = do_GET


@contextmanager
def proxied() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


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
