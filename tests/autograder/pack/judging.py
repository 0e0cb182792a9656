"""Judges given outcomes with the kit that this process imports: a module in this kit, a program in a packed one.

The program reads lines {"lab", "task", "outcomes"} and writes for each a line with its verdicts. No code of a learner
runs here: the outcomes are given.
"""

import json
import sys
from functools import cache
from typing import Any

from autograder.checks import StageChecks, load_stage
from autograder.judge.jobs import PUBLIC_SEED, Plan, plan_for
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.verdicts import judge_check

Verdicts = list[list[Any]]  # check, verdict, points, sentence, evidence


@cache
def stage_and_plan(lab: str, task: str) -> tuple[StageChecks, Plan]:
    """Return the checks of a lab, and the public cases of one task."""
    stage = load_stage(lab)
    return stage, plan_for(stage, PUBLIC_SEED, [task])


def verdicts(lab: str, task: str, outcomes: list[dict[str, Any]]) -> Verdicts:
    """Return a verdict for each check of a task, from one outcome for each of its public cases."""
    stage, plan = stage_and_plan(lab, task)
    driven = Driven({at: Outcome(**each) for at, each in enumerate(outcomes)})
    judged = [judge_check(check, plan.of(check), driven, 1.0) for check in stage.of_task(task)]
    return [[each.check, each.verdict, each.points, each.sentence, each.evidence] for each in judged]


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(verdicts(**json.loads(line))), flush=True)
