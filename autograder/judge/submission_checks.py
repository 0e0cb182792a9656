"""Judges one submission by its checks: intake, driving in a sandbox, verdicts."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from autograder.checks import StageChecks, load_stage
from autograder.checks.agreement import agree
from autograder.course import Course
from autograder.inside.counterparts import load_counterparts
from autograder.intake import Rejected, take_in
from autograder.judge.answer_limits import JudgingTime, too_late
from autograder.judge.chain import JudgedEarlier, Link, chain_for
from autograder.judge.driver import Driver
from autograder.judge.faults import guarded, judge_failed
from autograder.judge.jobs import plan_for
from autograder.judge.other_tasks import with_other_tasks
from autograder.judge.reference_figures import most_values
from autograder.judge.request import Checked, OnProgress, Request
from autograder.judge.results import Circumstances
from autograder.judge.second_look import SecondLook
from autograder.judge.service_files import fetch_for, require_packages
from autograder.judge.steps import unwritten_tasks, with_steps
from autograder.judge.verdicts import Verdict, judge_check
from autograder.judge.waits import with_waits


def load_agreed_stage(lab: str, course: Course) -> StageChecks:
    """Load a stage's checks and counterparts. Raises CourseError if course.yml and the groups' checks.py disagree."""
    stage = load_stage(lab)
    load_counterparts(lab)
    agree(lab, course.labs[lab], stage)
    return stage


def check_submission(path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
    """Take a submission in, drive it and judge its rows, on this machine."""
    began = time.monotonic()
    try:
        submission = take_in(path, request.course, request.root, request.lab)
    except Rejected as rejected:
        if rejected.lab:
            on_progress(str(rejected))
        return Checked(path.name, rejected=rejected)
    stage = load_agreed_stage(submission.lab, request.course)
    lab = request.course.labs[submission.lab]
    require_packages(request.root, request.course, submission.lab)
    fetch_for(submission.lab, lab.services, on_progress)
    tasks = [task for task in lab.tasks if not request.tasks or task in request.tasks]
    judged_earlier = _judged_earlier(request, how)
    chain = chain_for(stage.chain_of(tasks), stage.inside_of(tasks), path, request.root, judged_earlier)
    plan = plan_for(stage, request.seed, tasks)
    driver = Driver(
        how.sandbox,
        request.root,
        submission.lab,
        submission.cells,
        plan.jobs,
        request.limits_of(submission.lab),
        chain,
        lab.services,
        how.stop,
        most_values(request.root, submission.lab) if request.limits_answers else {},
    )
    driven = driver.run(_progress(path.name, tasks, on_progress))
    second_look, judging = SecondLook(driver), JudgingTime()
    verdicts: list[Verdict] = []
    for task in tasks:
        judged = []
        for check in stage.of_task(task):
            points = lab.tasks[task].checks[check.name]
            if judging.is_over:
                judged.append(too_late(check, points))
                continue
            verdict = judge_check(check, plan.of(check), driven, points)
            judged.append(second_look.settled(check, plan.of(check), driven, verdict))
        verdicts += map(chain.settled, stage.of_task(task), with_waits(stage.in_order(task), judged))
    verdicts = with_other_tasks(with_steps(lab, verdicts, unwritten_tasks(plan.jobs, driven)))
    return Checked(path.name, None, submission, driven, chain, verdicts, time.monotonic() - began)


def _judged_earlier(request: Request, how: Circumstances) -> JudgedEarlier:
    """Return a function that judges one task of an earlier lab in a separate sandbox.

    The sentence of the first check that fails is the reason why the task does not pass.
    """

    def judge_task(notebook: Path, lab: str, task: str) -> Link:
        if lab in request.rejected_earlier:
            why, digest = request.rejected_earlier[lab]
            return Link([], why, digest=digest)
        narrowed = replace(request, lab=lab, tasks=(task,), throughput=False)
        earlier = guarded(
            lambda: check_submission(notebook, narrowed, how, lambda text: None),
            lambda fault: judge_failed(notebook.name, narrowed, fault),
        )
        if earlier.submission is None:
            digest = earlier.rejected.digest if earlier.rejected else ""
            return Link([], str(earlier.rejected), earlier.judge_failed, digest)
        wrong = [each for each in earlier.verdicts if each.verdict != "pass"]
        failing = [each for each in wrong if not each.waits_for or "/" in each.waits_for]  # else it follows another
        ungraded = any(each.ungraded for each in failing)
        own = Link(earlier.submission.cells, None, ungraded, earlier.submission.digest)
        return replace(own, why=failing[0].sentence, quoted=failing[0].quoted) if failing else own

    return judge_task


def _progress(name: str, tasks: list[str], on_progress: OnProgress) -> Callable[[str], None]:
    seen: set[str] = set()

    def done(task: str) -> None:
        if task not in seen:
            seen.add(task)
            on_progress(f"{name}: {task} ({len(seen)} of {len(tasks)})")

    return done
