"""A separate JupyterLab, and a headless Chromium that opens it, for tests.

The server has its own home, so settings, workspaces and kernels of the developer have no effect.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SERVER_START_S = 60
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing() -> str | None:
    """Return a sentence on what this machine lacks for these tests, or None."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed: `./lab test` does it"
    if _chromium() is None:
        return "no Chromium on PATH: apt-get install chromium"
    return None


@contextmanager
def jupyterlab(work: Path, home: Path, root: Path) -> Iterator[str]:
    """Serve the folder `work` as `./lab start` does, importing from the kit in `root`; yield the address."""
    port = _free_port()
    log = home / "server.log"
    server = _start(_command(work, port), work, _environment(home, root), log)
    try:
        yield _once_it_answers(server, f"http://127.0.0.1:{port}", log)
    finally:
        server.terminate()  # it ends its kernels
        server.wait(30)


@contextmanager
def browser_page() -> Iterator[tuple[Any, list[str]]]:
    """Open a page in a headless Chromium; yield it and the list of errors that its scripts raise."""
    from playwright.sync_api import sync_playwright

    errors: list[str] = []
    with sync_playwright() as playwright:
        as_root = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=_chromium(), args=as_root)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("pageerror", lambda error: errors.append(str(error)))
        try:
            yield page, errors
        finally:
            browser.close()


def _chromium() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(home: Path, root: Path) -> dict[str, str]:
    folders = {"CONFIG_DIR": "config", "DATA_DIR": "data", "RUNTIME_DIR": "runtime"}
    overrides = {f"JUPYTER_{name}": str(home / folder) for name, folder in folders.items()}
    overrides |= {"HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "PYTHONPATH": str(root)}
    overrides |= {"JUPYTER_CONFIG_PATH": str(root / "streamlab" / "jupyter")}
    overrides |= {f"JUPYTERLAB_{name}_DIR": str(home / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
    return {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"} | overrides


def _command(work: Path, port: int) -> list[str]:
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"]
    options += ["--IdentityProvider.token=", f"--ServerApp.root_dir={work}"]
    options += ["--allow-root"] if os.getuid() == 0 else []
    return [sys.executable, "-m", "jupyter", "lab", *options]


def _start(command: list[str], work: Path, environment: dict[str, str], log: Path) -> "subprocess.Popen[bytes]":
    with log.open("w") as written:
        return subprocess.Popen(command, cwd=work, env=environment, stdout=written, stderr=subprocess.STDOUT)


def _once_it_answers(server: "subprocess.Popen[bytes]", address: str, log: Path) -> str:
    deadline = time.monotonic() + SERVER_START_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{address}/api", timeout=2).close()
            return address
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not answer at {address}; its log ends:\n{log.read_text()[-2000:]}")
