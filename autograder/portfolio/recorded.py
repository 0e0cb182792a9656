"""`python -m autograder.portfolio.recorded FILE`: makes tests of the public cases that a written package passes.

It runs in its own process, since it imports the package. A test is kept if the task gives the same answers once more,
without what a drive puts in the place of other tasks. What needs Spark, a service or a file makes no test.
If FILE exists, only those of its tests stay that pass in this process as well: an answer may depend on the hash seed.
"""

import importlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder.checks import Check, load_stage
from autograder.inside import DRIVES, load_drives
from autograder.judge.jobs import PUBLIC_SEED, NumberedCase, plan_for
from autograder.notebook_check.time_limit import TimeLimit
from autograder.portfolio import PACKAGE
from autograder.portfolio.recorded_test import RecordedTest, read_tests, write_tests
from autograder.portfolio.stories import Stories, Story
from streamlab.notebooks.loader import Stage

CASES_MAX, STORY_CHARS, CASE_S = 6, 700, 5.0
HOPELESS_CASES = 4  # that give no test; then the task is given up


class Recording:
    """The tests of one task of the package. `limit` stops a case that takes too long."""

    def __init__(self, lab: str, task: str, limit: TimeLimit) -> None:
        self._lab, self._task, self._limit = lab, task, limit
        self._stage = _stage(lab)
        self._known, self._silent_cases = set[str](), 0

    def tests(self) -> Iterator[RecordedTest]:
        """Yield at most two tests of each check: of its first and its last case that can be written."""
        checks = load_stage(self._lab)
        plan = plan_for(checks, PUBLIC_SEED, [self._task])
        for check in checks.in_order(self._task):
            if self._silent_cases >= HOPELESS_CASES:
                return
            stories = [story for case in plan.of(check)[:CASES_MAX] for story in self._stories(check, case)]
            held = [each for each in stories if self._is_new(each) and _holds(self._lab, self._task, each, self._limit)]
            for story in [*held[:1], *held[1:][-1:]]:
                yield RecordedTest(check.name, story.lines, story.classes)

    def _stories(self, check: Check, case: NumberedCase) -> list[Story]:
        """Drive a case; return the stories of the task if the check passes on it."""
        if self._silent_cases >= HOPELESS_CASES:
            return []
        stories, drive = Stories(), DRIVES[self._task]
        wrapped = stories.wrap(self._task, getattr(self._stage, self._task))
        try:
            with (
                tempfile.TemporaryDirectory(prefix="streamlab-", ignore_cleanup_errors=True) as scratch,
                self._limit.one_case(),
                self._stage.replaced(**{self._task: wrapped}),
            ):
                rows = drive(stage=self._stage, case=case.input, scratch=Path(scratch), earlier=_stage)
            passes = check.judge(case.input, json.loads(json.dumps(rows))) is None
        except KeyboardInterrupt:
            raise
        except BaseException:  # such as a drive that wants a class, or OutOfTime
            self._silent_cases += 1
            return []
        self._silent_cases = 0 if any(story.lines for story in stories.all) else self._silent_cases + 1
        return stories.all if passes else []

    def _is_new(self, story: Story) -> bool:
        text = "\n".join(story.lines)
        is_new = text not in self._known and ("assert " in text or "pytest.raises" in text)
        self._known.add(text)
        return is_new and len(text) <= STORY_CHARS


def _holds(lab: str, task: str, test: Story | RecordedTest, limit: TimeLimit) -> bool:
    """Return whether the lines pass as a test on the package as it is."""
    names: dict[str, Any] = {"pytest": pytest, task: getattr(_stage(lab), task)}
    try:
        names |= {name: getattr(importlib.import_module(home), name) for name, home in test.classes.items()}
        with limit.one_case():
            exec("\n".join(test.lines), names)
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
                print(f"trying public cases of {lab}/{task}", flush=True)
                found[f"{lab}/{task}"] = list(Recording(lab, task, limit).tests())
    return found


def held(found: Mapping[str, Sequence[RecordedTest]]) -> dict[str, list[RecordedTest]]:
    """Return those of the tests that pass in this process."""
    print("running the tests once more", flush=True)
    kept, limit = dict[str, list[RecordedTest]](), TimeLimit(CASE_S, lambda: None)
    with limit.running():
        for lab, task in (each.split("/") for each in found):
            kept[f"{lab}/{task}"] = [test for test in found[f"{lab}/{task}"] if _holds(lab, task, test, limit)]
    return kept


if __name__ == "__main__":
    file, tasks = Path(sys.argv[1]), importlib.import_module(PACKAGE).TASKS
    write_tests(file, held(read_tests(file)) if file.exists() else recorded(list(tasks)))
