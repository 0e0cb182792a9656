"""The recorded measurement of Lab 5, with its checksum on its page, and how the cluster's programs are started."""

import hashlib
import json
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from streamlab.kit_program import PYTHON
from streamlab.lab05_placement.experiments import near_or_now
from streamlab.lab05_placement.experiments.near_or_now import RECORDED, TASK_S, TASKS, Run, as_json, recorded_runs


def test_waiting_keeps_all_tasks_local_and_not_waiting_uses_both_executors() -> None:
    waits, goes_on = recorded_runs()

    assert (waits.wait_s, goes_on.wait_s) == (3, 0)
    assert waits.levels == {"PROCESS_LOCAL": TASKS}
    assert len(waits.executors) == 1
    assert waits.took_s >= TASKS * TASK_S
    assert sum(goes_on.levels.values()) == TASKS
    assert len(goes_on.executors) == 2
    assert goes_on.took_s < waits.took_s


def test_the_page_has_the_checksum_of_the_recording() -> None:
    page = (RECORDED.parent / "README.md").read_text(encoding="utf-8")

    assert hashlib.sha256(RECORDED.read_bytes()).hexdigest() in page


def test_runs_survive_a_round_trip_through_json(tmp_path: Path) -> None:
    runs = [Run(3, 2.5, {"PROCESS_LOCAL": 4}, {"0": 4})]
    kept = tmp_path / "runs.json"
    kept.write_text(json.dumps(as_json(runs, {"cores": 2})), encoding="utf-8")

    assert recorded_runs(kept) == runs


def test_the_clusters_programs_do_not_import_files_of_the_notebooks_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    started = MagicMock()
    monkeypatch.setattr(near_or_now.subprocess, "Popen", started)
    monkeypatch.setattr(near_or_now, "wait_until", lambda *_: None)
    with near_or_now.pinned_cluster([3]):
        master, worker = (call.args[0] for call in started.call_args_list)

    assert master == [*PYTHON, "-m", "streamlab.spark.cluster", "master"]
    assert worker == ["taskset", "--cpu-list", "3", *PYTHON, "-m", "streamlab.spark.cluster", "worker"]
