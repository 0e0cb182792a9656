"""Writes the page of the system with its recorded day, which plays without a server, from a file, too."""

import json
from collections.abc import Mapping
from pathlib import Path

from autograder.course import Course
from streamlab.java.download import FetchFailed
from streamlab.lab09_system.page import uplot
from streamlab.lab09_system.page.recording import BEFORE_S, DAY, RecordedSource
from streamlab.lab09_system.page.server import FILES, Server, content_of
from streamlab.lab09_system.parts import TASKS
from streamlab.progress import OnProgress
from streamlab.views.system_map import Owner

NO_OWNERS: Mapping[str, Owner] = {}
SHIM = Path(__file__).resolve().parent / "lab09_system_recorded.js"
RECORDING = "recorded.js"


def write_system_page(course: Course, folder: Path, on_progress: OnProgress) -> None:
    """Write `index.html` and what it needs into `folder`. Without a network, the page has tables and no charts."""
    try:
        uplot.fetch(on_progress)
    except FetchFailed as problem:
        on_progress(f"the system's page gets tables and no charts: {problem}")
    source = RecordedSource(DAY)
    tasks = {part: [task for task in tasks if task in TASKS] for part, tasks in course.tasks_of_parts().items()}
    server = Server(source, tasks, NO_OWNERS, say=on_progress)
    folder.mkdir(parents=True)
    for name in (*FILES, *uplot.FILES):
        if (content := content_of(name)) is not None:
            (folder / name).write_bytes(content)
    day = {
        "start": server.start(),
        "messages": source.messages,
        "plan": {fault: int(at_s) for at_s, fault in source.plan.items()},
        "before_s": BEFORE_S,
        "pace_ms": round(1000 * source.pace_s),
    }
    recorded = f"const DAY = {json.dumps(day, separators=(',', ':'))};\n{SHIM.read_text(encoding='utf-8')}"
    (folder / RECORDING).write_text(recorded, encoding="utf-8")
    page = server.page().replace("<h1>", '<h1><a href="../index.html">StreamLab</a> · ', 1)
    page = page.replace('<script src="page.js"', f'<script src="{RECORDING}" defer></script>\n<script src="page.js"', 1)
    (folder / "index.html").write_text(page, encoding="utf-8")
