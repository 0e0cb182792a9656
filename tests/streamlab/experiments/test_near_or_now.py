"""The recorded measurement of Lab 5: what is in it, and that its page names its checksum."""

import hashlib
import json
from pathlib import Path

from streamlab.experiments.near_or_now import RECORDED, TASK_S, TASKS, Run, as_json, recorded_runs


def test_waiting_keeps_all_tasks_near_and_not_waiting_uses_both_executors() -> None:
    waits, goes_on = recorded_runs()

    assert (waits.wait_s, goes_on.wait_s) == (3, 0)
    assert waits.levels == {"PROCESS_LOCAL": TASKS}
    assert len(waits.executors) == 1
    assert waits.took_s >= TASKS * TASK_S
    assert sum(goes_on.levels.values()) == TASKS
    assert len(goes_on.executors) == 2
    assert goes_on.took_s < waits.took_s


def test_its_page_names_its_checksum() -> None:
    page = (RECORDED.parent / "README.md").read_text(encoding="utf-8")

    assert hashlib.sha256(RECORDED.read_bytes()).hexdigest() in page


def test_runs_are_kept_and_read_again(tmp_path: Path) -> None:
    runs = [Run(3, 2.5, {"PROCESS_LOCAL": 4}, {"0": 4})]
    kept = tmp_path / "runs.json"
    kept.write_text(json.dumps(as_json(runs, {"cores": 2})), encoding="utf-8")

    assert recorded_runs(kept) == runs
