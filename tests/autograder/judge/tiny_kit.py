"""A kit with one tiny lab of two tasks, and what tests read in its results."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from autograder.course import Course
from autograder.judge import judge_files
from autograder.judge.request import Request

RIGHT = {"double": "def double(x):\n    return 2 * x", "triple": "def triple(x):\n    return 3 * x"}


def notebook(folder: Path, *sources: str, name: str = "lab99_tiny.ipynb", roles: bool = True) -> Path:
    cells = []
    for source in sources:
        task = next((t for t in RIGHT if source.startswith(f"def {t}(")), None)
        about = {"streamlab": {"role": "task", "name": task}} if task and roles else {}
        cells.append({"cell_type": "code", "metadata": about, "source": source})
    path = folder / name
    about = {"streamlab": {"lab": "lab99_tiny", "release": "1"}}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}))
    return path


class Kit:
    """The tiny kit, which judges notebooks."""

    def __init__(self, root: Path, course: Course, level: str) -> None:
        self.root, self.request = root, Request(root, course, sandbox=level)

    def judge(self, *sources: str, **kind: Any) -> dict[str, Any]:
        return judge_files([notebook(self.root, *sources, **kind)], self.request)[0]

    def with_limits(self, **seconds: float) -> Self:
        """Return the same kit with other limits, for tasks that never end."""
        course = self.request.course
        limits = course.limits.model_copy(update=seconds)
        self.request = replace(self.request, course=course.model_copy(update={"limits": limits}))
        return self


def verdicts(results: dict[str, Any]) -> dict[str, str]:
    return {check["task"]: check["verdict"] for check in results["streamlab"]["checks"]}


def sentence(results: dict[str, Any], task: str) -> str:
    return next(check["sentence"] for check in results["streamlab"]["checks"] if check["task"] == task)
