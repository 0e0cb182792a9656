"""Play a learner's session in the docker environment: a browser opens it, runs a solved lab and a task of another.

Usage: .venv/bin/python docker/ci/browser.py PAGE SPARKS_PAGE PICTURES LAB OTHER_LAB/TASK, with PAGE as printed by
`docker/lab-docker up`. It runs LAB's notebook from top to bottom and one task of OTHER_LAB with its check; then `lab
check` judges all of OTHER_LAB. The solved notebooks must be in work/. The first problem ends the session with one line
and code 1. docker/ci.sh starts the environment; tests/browser starts the browser and finds cells.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.jupyterlab import browser_page, missing
from tests.browser.notebook_page import NotebookPage

PATIENCE_S = 60.0  # for most steps
STALL_S = 150.0  # for one cell
CHECK_S = 300.0
VERDICT = re.compile(r"^\w+ · .+ (\w+) +[\d.]+/[\d.]+$", re.MULTILINE)
VERDICT_ON_PAGE = re.compile(r"^(pass|fail|error|timeout|skipped|inconclusive)$", re.MULTILINE)
WORKERS = ("spark-worker-1", "spark-worker-2")
SIZE = {"width": 1280, "height": 900}
CODE_CELL = ".jp-NotebookPanel:visible .jp-CodeCell"
PLOT = ".jp-OutputArea-output img"
ON_SCREEN = """plot => new Promise(answer => requestAnimationFrame(() => requestAnimationFrame(() => {
  const {top, bottom} = plot.getBoundingClientRect();
  answer(plot.complete && plot.naturalWidth > 0 && top < innerHeight && bottom > 0);
})))"""
TERMINAL = ".jp-Terminal .xterm-helper-textarea"


def must(holds: bool, expected: str, got: object) -> None:
    """Exit with one line unless `holds` is true."""
    if not holds:
        sys.exit(f"browser: expected {expected}, got {got}")


def on_screen(plot: Any) -> bool:
    """Scroll to a plot; return whether it is visible two frames later, since scrolling redraws JupyterLab's cells."""
    plot.scroll_into_view_if_needed()
    return bool(plot.evaluate(ON_SCREEN))


class Session:
    """A browser page in the environment; `address` is JupyterLab's address, `spark` that of Spark's page."""

    def __init__(self, page: Any, address: str, spark: str, pictures: Path) -> None:
        self.page, self.address, self.spark, self.pictures = page, address, spark, pictures
        page.context.set_default_timeout(1000 * PATIENCE_S)

    def see_labs(self, page_url: str, labs: list[str]) -> None:
        """Open the page with its token, and wait until the labs are listed."""
        self.page.goto(page_url)
        for lab in labs:
            self.page.locator(".jp-DirListing-itemText", has_text=lab).wait_for()
        self.page.locator(".jp-LauncherCard").first.wait_for()
        self.picture("jupyterlab")

    def run(self, lab: str) -> None:
        """Run all cells of a lab; each check must pass, and both workers must have run its jobs."""
        began_s, path = time.monotonic(), f"{lab}/{lab}.ipynb"
        NotebookPage(self.page, self.address, path, self.pictures)
        self.choose("Run", "runmenu:run-all")
        self.wait_until_all_ran(lab)
        for number, plot in enumerate(self.page.locator(CODE_CELL).locator(PLOT).all(), start=1):
            self.soon(lambda plot=plot: on_screen(plot), f"plot {number} of {lab} to be on the screen")  # type: ignore[misc]
            self.picture(f"{lab}_plot_{number}")
        where = self.on_both_workers(lab)
        passed = passes(lab, self.saved(path))
        self.one_click(f"{lab}_spark", "Spark's page", "2 Alive", lab)
        self.choose("Kernel", "kernelmenu:shutdown")
        print(f"{lab}: all cells ran, {passed} checks pass, {where}, {time.monotonic() - began_s:.0f} s", flush=True)

    def run_task(self, lab: str, task: str) -> None:
        """Run given cells and tasks up to one task's check, which must pass; both workers must have run its jobs."""
        began_s, path = time.monotonic(), f"{lab}/{lab}.ipynb"
        page = NotebookPage(self.page, self.address, path, self.pictures)
        cells = self.got(f"{self.address}/files/{path}")["cells"]
        sources = [(each["metadata"].get("streamlab", {}), "".join(each["source"])) for each in cells]
        last = next(
            at for at, (ours, _) in enumerate(sources) if (ours.get("role"), ours.get("name")) == ("check", task)
        )
        needed = [text for ours, text in sources[:last] if ours.get("role") in ("given", "task")] + [sources[last][1]]
        printed = [page.run(source.partition("\n")[0], 1000 * STALL_S) for source in needed]
        verdicts = VERDICT_ON_PAGE.findall(printed[-1])
        must(set(verdicts) == {"pass"}, f"every check of {task} to pass", printed[-1][-500:])
        where = self.on_both_workers(lab)
        self.picture(f"{lab}_{task}")
        self.choose("Kernel", "kernelmenu:shutdown")
        print(f"{task}: {len(verdicts)} checks pass, {where}, {time.monotonic() - began_s:.0f} s", flush=True)

    def on_both_workers(self, lab: str) -> str:
        """Return in words how many tasks of the lab's session each worker ran; each must have run some."""
        tasks = self.tasks_of(lab)
        must(all(tasks.get(worker) for worker in WORKERS), f"jobs of {lab} on {' and '.join(WORKERS)}", tasks)
        return ", ".join(f"{tasks[worker]} tasks on {worker}" for worker in WORKERS)

    def wait_until_all_ran(self, lab: str) -> None:
        """Wait until all cells ran, as long as one after the other gets done."""
        ran, changed_s, half = -1, time.monotonic(), False
        while True:
            prompts = [each.strip() for each in self.page.locator(f"{CODE_CELL} .jp-InputPrompt").all_text_contents()]
            done = sum(bool(re.fullmatch(r"\[\d+\]:", each)) for each in prompts)
            if done == len(prompts) > 0:
                return
            if done != ran:
                ran, changed_s = done, time.monotonic()
            if 2 * done > len(prompts) and not half:
                half = True
                self.page.locator(CODE_CELL, has_text="[*]:").first.scroll_into_view_if_needed()
                self.picture(f"{lab}_at_work")
            is_running = time.monotonic() - changed_s < STALL_S and ("[*]:" in prompts or done <= 0)
            must(is_running, f"{lab} to continue", f"{done} of {len(prompts)} cells; {self.error_shown()}")
            self.page.wait_for_timeout(200)

    def error_shown(self) -> str:
        """Return the end of the first error on the page."""
        shown = self.page.locator("[data-mime-type='application/vnd.jupyter.error']").all_text_contents()
        return shown[0][-500:] if shown else "no error is shown"

    def saved(self, path: str) -> list[dict[str, Any]]:
        """Save, and return the code cells of the saved file."""
        self.choose("File", "docmanager:save")

        def cells_that_ran() -> list[dict[str, Any]]:
            # Not from /api/contents: a request during the write makes it restore the previous file.
            with suppress(json.JSONDecodeError):  # the file is half written
                code = [each for each in json.loads(self.text_of(path))["cells"] if each["cell_type"] == "code"]
                return code if all(each["execution_count"] for each in code) else []
            return []

        cells: list[dict[str, Any]] = self.soon(cells_that_ran, f"{path} to be saved")
        return cells

    def tasks_of(self, lab: str) -> dict[str, int]:
        """Return how many tasks each worker ran for the lab's session, according to Spark's page."""
        sessions = [each["id"] for each in self.got(f"{self.spark}/json/")["activeapps"] if each["name"] == lab]
        must(len(sessions) == 1, f"one session {lab} on the cluster", len(sessions))
        url = f"{self.spark}/proxy/{sessions[0]}/api/v1/applications/{sessions[0]}/allexecutors"
        executors = [each for each in self.got(url) if each["id"] != "driver"]
        hosts = [each["hostPort"].partition(":")[0] for each in executors]
        return {
            host: sum(each["totalTasks"] for each in executors if each["hostPort"].startswith(f"{host}:"))
            for host in hosts
        }

    def open_terminal(self) -> None:
        """Open a terminal from the launcher."""
        self.page.goto(f"{self.address}/lab/workspaces/terminal-{time.time_ns()}?reset")
        self.page.locator(".jp-LauncherCard[title*='terminal']").click()
        self.page.locator(TERMINAL).wait_for(state="attached")

    def check(self, lab: str) -> None:
        """Run `lab check` in the terminal; it must give full marks."""
        began_s = time.monotonic()
        self.page.locator(TERMINAL).press_sequentially(f"lab check {lab}\n")
        last_file = "report.html"  # the one that is written last
        self.soon(lambda: lab in self.text_of(last_file), f"{lab} to be judged", CHECK_S)
        judged = self.got(f"{self.address}/files/{lab}/results.json")
        score, highest = judged["score"], judged["max_score"]
        must(score == highest > 0, f"{highest} points for the solved {lab}", score)
        print(f"lab check {lab}: {score:g} of {highest:g}, {time.monotonic() - began_s:.0f} s", flush=True)

    def one_click(self, picture: str, button: str, *expected: str) -> None:
        """Click a button above the labs; it must open a page with these texts."""
        with self.page.expect_popup() as opened:
            self.page.get_by_role("button", name=button).click()
        page = opened.value
        page.set_viewport_size(SIZE)
        for text in expected:
            page.get_by_text(text).first.wait_for()
        page.screenshot(path=self.pictures / f"{picture}.png")
        page.close()

    def choose(self, menu: str, command: str) -> None:
        """Choose an entry of a menu, as soon as it is enabled."""
        self.page.locator(".lm-MenuBar-item", has_text=menu).first.click()
        self.page.locator(f".lm-Menu-item:not(.lm-mod-disabled)[data-command='{command}']").first.click()

    def picture(self, name: str) -> None:
        """Save a screenshot of the window."""
        self.page.screenshot(path=self.pictures / f"{name}.png")

    def response(self, address: str) -> Any:
        """Return the response from an address that JupyterLab serves to its own pages only."""
        return self.page.request.get(address, headers={"Referer": f"{self.address}/lab"})

    def text_of(self, path: str) -> str:
        """Return a file's text; "" if it is being written: JupyterLab hangs up if a file grows while it is sent."""
        from playwright.sync_api import Error

        with suppress(Error):
            return str(self.response(f"{self.address}/files/{path}").text())
        return ""

    def got(self, address: str) -> Any:
        """Return the parsed JSON response from an address."""
        answer = self.response(address)
        must(answer.ok, f"an answer from {address}", answer.status)
        return answer.json()

    def soon(self, poll: Callable[[], Any], expected: str, limit_s: float = PATIENCE_S) -> Any:
        """Poll until the result is truthy, and return it."""
        deadline_s = time.monotonic() + limit_s
        while not (found := poll()):
            must(time.monotonic() < deadline_s, expected, f"nothing within {limit_s:g} s")
            self.page.wait_for_timeout(300)
        return found


def passes(lab: str, cells: list[dict[str, Any]]) -> int:
    """Return how many checks pass; all must, at least one in each check cell, without errors in other cells."""
    passed = 0
    for cell in cells:
        where = f"{lab}, cell {cell['id']}"
        texts = [text for output in cell["outputs"] for text in plain_text(output)]
        wrong = [each for each in cell["outputs"] if each["output_type"] == "error" or each.get("name") == "stderr"]
        must(not wrong, f"neither an error nor anything on stderr in {where}", wrong[:1])
        verdicts = VERDICT.findall("".join(texts))
        must(set(verdicts) <= {"pass"}, f"every check to pass in {where}", verdicts)
        must(bool(verdicts) or not cell["id"].startswith("check-"), f"a verdict in {where}", "none")
        passed += len(verdicts)
    return passed


def plain_text(output: dict[str, Any]) -> list[str]:
    """Return the lines that an output printed, or the plain text of what it displayed."""
    lines: list[str] = output.get("text") or output.get("data", {}).get("text/plain", [])
    return lines


def work(session: Session, page_url: str, whole: str, task: str) -> None:
    """Play the whole session."""
    lab, _, name = task.partition("/")
    session.see_labs(page_url, [whole, lab])
    session.run(whole)
    session.run_task(lab, name)
    session.open_terminal()
    session.check(lab)
    session.picture("terminal")
    session.one_click("newest_report", "Newest report", "All checks pass", lab)
    print("Spark's page and the newest report: one click each")


def main(page_url: str, spark: str, pictures: str, whole: str, task: str) -> None:
    """Start a browser and play the session; if it fails, save a screenshot, too."""
    must(missing() is None, "a browser and its driver", missing())
    from playwright.sync_api import Error

    folder = Path(pictures)
    folder.mkdir(parents=True, exist_ok=True)
    with browser_page() as (page, errors):
        try:
            work(Session(page, page_url.partition("/lab?")[0], spark, folder), page_url, whole, task)
            must(not errors, "no error of the page's scripts", errors[:1])
        except (Error, AssertionError, SystemExit) as problem:
            page.screenshot(path=folder / "failed.png")
            sys.exit(" ".join(str(problem).split()))


if __name__ == "__main__":
    main(*sys.argv[1:])
