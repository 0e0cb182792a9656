"""Reads the texts that checks and messages cite: a lab's invariants and the three hints for each task."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

STAGES = Path(__file__).resolve().parents[1] / "stages"


@cache
def invariants(lab: str) -> dict[int, str]:
    """Return the numbered sentences of `stages/LAB/invariants.yml`."""
    return {int(number): str(text) for number, text in _read(lab, "invariants.yml").items()}


@cache
def hints(lab: str) -> dict[str, list[str]]:
    """Return the hints of `stages/LAB/hints.yml`: three for each task, from a question to almost the answer."""
    return {str(task): [str(each) for each in three] for task, three in _read(lab, "hints.yml").items()}


def _read(lab: str, name: str) -> dict[Any, Any]:
    path = STAGES / lab / name
    return yaml.safe_load(path.read_text(encoding="utf-8")) or {} if path.exists() else {}
