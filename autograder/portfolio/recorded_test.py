"""The record of one test, which `recorded` makes and `tests_text` writes; and the file between their processes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class RecordedTest:
    """A test of one check's claim: its lines, and {name: module} of the classes that they name."""

    claim: str
    lines: list[str]
    classes: dict[str, str]


def write_tests(file: Path, tests: Mapping[str, Sequence[RecordedTest]]) -> None:
    """Write {"LAB/TASK": tests} as JSON."""
    file.write_text(json.dumps({task: list(map(asdict, of_task)) for task, of_task in tests.items()}), encoding="utf-8")


def read_tests(file: Path) -> dict[str, list[RecordedTest]]:
    """Return what `write_tests` wrote."""
    found = json.loads(file.read_text(encoding="utf-8"))
    return {task: [RecordedTest(**each) for each in of_task] for task, of_task in found.items()}
