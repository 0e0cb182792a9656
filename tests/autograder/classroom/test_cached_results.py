"""Cached results of an older release stay readable."""

import json
from pathlib import Path

from autograder.classroom.cached_results import load
from autograder.record.verdict_cells import points_of
from autograder.report.results_view import read_report

OF_2026_1 = {
    "origin": {"notebook": "ab", "seed": "cd", "throughput": False, "checks": "ef", "earlier": ""},
    "results": {
        "score": 2,
        "max_score": 4,
        "tests": [
            {
                "name": f"lab99_tiny/{task}/{check}",
                "score": score,
                "max_score": 2,
                "status": status,
                "output": "",
                "visibility": "visible",
            }
            for task, check, score, status in (
                ("double", "twice_the_number", 2, "passed"),
                ("triple", "three_times_the_number", 0, "failed"),
            )
        ],
        "streamlab": {
            "lab": "lab99_tiny",
            "release": "2026.1",
            "seed_id": "public",
            "sandbox": "bubblewrap",
            "checks": [],
            "throughput": [],
            "fallbacks": [],
            "limits_hit": [],
            "notes": [],
            "ungraded": [],
            "timing": {},
        },
    },
}


def test_a_result_of_release_2026_1_can_be_read_and_still_counts(tmp_path: Path) -> None:
    path = tmp_path / "ada.json"
    path.write_text(json.dumps(OF_2026_1))

    found = load(path)

    assert found is not None
    assert points_of(found.results, "double") == 2
    assert read_report(found.results).release == "2026.1"
    assert found.provenance.same_work(found.provenance)
