"""`python -m autograder.portfolio.recorded`: makes tests of the public cases that the tasks of a written package pass.

It runs in its own process, since it imports the package. A test is kept if the task gives the same answers once more,
without what a drive puts in the place of other tasks. What needs Spark, a service or a file makes no test.
Its last line is JSON: {"LAB/TASK": [RecordedTest as a dict, …]}.
"""

import importlib
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import Check, load_stage
from autograder.inside import DRIVES, load_drives
from autograder.judge.jobs import PUBLIC_SEED, NumberedCase, plan_for
from autograder.notebook_check.time_limit import TimeLimit
from autograder.portfolio import PACKAGE
from autograder.portfolio.recorded_test import RecordedTest
from autograder.portfolio.stories import Stories, Story
from streamlab.notebooks.loader import Stage

CASES_MAX, STORIES_MAX, LINE_CHARS, CASE_S = 3, 2, 110, 5.0


class Recording:
    """The tests of one task of the package. `limit` stops a case that takes too long."""

    def __init__(self, lab: str, task: str, limit: TimeLimit) -> None:
        self._lab, self._task, self._limit = lab, task, limit
        self._stage = _stage(lab)
        self._known = set[str]()

    def tests(self) -> Iterator[RecordedTest]:
        """Yield at most `STORIES_MAX` tests of each check."""
        checks = load_stage(self._lab)
        plan = plan_for(checks, PUBLIC_SEED, [self._task])
        for check in checks.in_order(self._task):
            stories = (story for case in plan.of(check)[:CASES_MAX] for story in self._stories(check, case))
            new = (story for story in stories if self._is_new(story) and self._holds(story))
            for _, story in zip(range(STORIES_MAX), new, strict=False):
                yield RecordedTest(check.name, story.lines, story.classes)

    def _stories(self, check: Check, case: NumberedCase) -> list[Story]:
        """Drive a case; return the stories of the task if the check passes on it."""
        stories, drive = Stories(), DRIVES[self._task]
        wrapped = stories.wrap(self._task, getattr(self._stage, self._task))
        try:
            with tempfile.TemporaryDirectory(prefix="streamlab-", ignore_cleanup_errors=True) as scratch:
                with self._limit.one_case(), self._stage.replaced(**{self._task: wrapped}):
                    rows = drive(stage=self._stage, case=case.input, scratch=Path(scratch), earlier=_stage)
            passes = check.judge(case.input, json.loads(json.dumps(rows))) is None
        except KeyboardInterrupt:
            raise
        except BaseException:  # such as a drive that wants a class, or OutOfTime
            return []
        return stories.all if passes else []

    def _is_new(self, story: Story) -> bool:
        text = "\n".join(story.lines)
        is_new = text not in self._known and ("assert " in text or "pytest.raises" in text)
        self._known.add(text)
        return is_new and all(len(line) <= LINE_CHARS for line in story.lines)

    def _holds(self, story: Story) -> bool:
        """Return whether the lines pass as a test on the package as it is."""
        names: dict[str, Any] = {"pytest": pytest, self._task: getattr(self._stage, self._task)}
        try:
            names |= {name: getattr(importlib.import_module(home), name) for name, home in story.classes.items()}
            with self._limit.one_case():
                exec("\n".join(story.lines), names)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return False
        return True


def _stage(lab: str) -> Stage:
    return Stage(lab, importlib.import_module(f"{PACKAGE}.{lab}"))


def recorded(tasks: list[str]) -> dict[str, list[RecordedTest]]:
    """Return the tests of each of the tasks ("LAB/TASK") that can have some."""
    found, limit = dict[str, list[RecordedTest]](), TimeLimit(CASE_S, lambda: None)
    with limit.running():
        for lab, task in (each.split("/") for each in tasks):
            load_drives(lab)
            if not DRIVES[task].needs_spark:
                print(f"{lab}/{task}", file=sys.stderr, flush=True)
                found[f"{lab}/{task}"] = list(Recording(lab, task, limit).tests())
    return found


if __name__ == "__main__":
    with redirect_stdout(sys.stderr):
        tests = recorded(list(importlib.import_module(PACKAGE).TASKS))
    print(json.dumps({task: [asdict(each) for each in of_task] for task, of_task in tests.items()}))
