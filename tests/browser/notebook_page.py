"""A notebook that is open in JupyterLab, as a learner uses it: find a cell, type, run, read.

Cells are found by their text.
"""

import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

KERNEL_START_MS = 60_000
LATEST_RUN_MS = 90_000


class NotebookPage:
    """One open notebook; screenshots go to `pictures`."""

    def __init__(self, page: Any, address: str, path: str, pictures: Path) -> None:
        self.page = page
        self.pictures = pictures
        page.goto(f"{address}/lab/workspaces/test-{time.time_ns()}/tree/{path}?reset")
        # The notebook's own indicator is too early: JupyterLab silently drops a run while no kernel is attached.
        expect(page.locator("#jp-main-statusbar")).to_contain_text(re.compile(r"\| Idle"), timeout=KERNEL_START_MS)

    def cell(self, text: str) -> Any:
        """Return the first code cell whose source contains `text`."""
        inputs = self.page.locator(".jp-InputArea", has_text=text)
        return self.page.locator(".jp-NotebookPanel:visible .jp-CodeCell", has=inputs).first

    def run(self, text: str, limit_ms: float = LATEST_RUN_MS) -> str:
        """Run that cell, wait until it has finished, and return its output as text."""
        # A long cell is not found by its first line while that is off the screen: the editor draws visible lines only.
        name = f"run-{time.time_ns()}"
        self.cell(text).evaluate("(cell, name) => { cell.dataset.run = name; }", name)
        cell = self.page.locator(f"[data-run={name}]")
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        expect(prompt).not_to_have_text(before, timeout=limit_ms)
        expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=limit_ms)
        return "\n".join(cell.locator(".jp-OutputArea-output").all_inner_texts())

    def columns(self, text: str) -> int:
        """Return how many characters of a line fit beside each other in that cell; longer lines are wrapped."""
        content = self.cell(text).locator(".cm-content.cm-lineWrapping")
        width = "e => { const r = document.createRange(); r.selectNodeContents(e.querySelector('.cm-line span'));"
        width += " return e.clientWidth / r.getBoundingClientRect().width * r.toString().length; }"
        return int(content.evaluate(width))

    def write(self, text: str, source: str) -> None:
        """Replace the source of that cell with `source`, as a learner pastes it."""
        editor = self.cell(text).locator(".cm-content")
        editor.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)

    def source(self, text: str) -> str:
        return "\n".join(self.cell(text).locator(".cm-line").all_inner_texts())

    def save(self, path: Path, until_it_has: str, deadline_s: float = 20) -> None:
        """Save, and wait until the file contains that text."""
        self.page.keyboard.press("Control+s")
        deadline = time.monotonic() + deadline_s
        while until_it_has not in path.read_text(encoding="utf-8"):
            assert time.monotonic() < deadline, f"{path.name} was not saved with {until_it_has!r} in {deadline_s} s"
            self.page.wait_for_timeout(100)

    def cut_off(self, text: str) -> list[str]:
        """Return outputs of that cell that are wider than the page, so that a learner sees only a part."""
        wider = "each => each.scrollWidth > each.clientWidth + 1"
        outputs = self.cell(text).locator(".jp-OutputArea-output, .jp-OutputArea-output pre").all()
        return [output.inner_text() for output in outputs if output.evaluate(wider)]

    def picture(self, name: str, text: str) -> Path:
        """Take a screenshot of the window with that cell at its top; return its path."""
        self.cell(text).evaluate("cell => cell.scrollIntoView({block: 'start'})")
        path = self.pictures / f"{name}.png"
        self.page.screenshot(path=path)
        return path
