"""Applies the policy of a class to one submission, and says in words what was applied.

The judge's results stay as they are; what is recorded is a copy without the points of what is not graded.
"""

import copy
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties

from autograder.classroom import cached_results
from autograder.classroom.folder import Classroom
from autograder.classroom.policy import THROUGHPUT, Policy
from autograder.classroom.policy_file import policy_of
from autograder.course import Lab
from autograder.record.collection import collected_at
from autograder.record.course_site import collected as records
from autograder.report.number_formats import points as as_points

NOT_GRADED = "Not graded in this course."


@dataclass(frozen=True)
class Applied:
    """What a policy makes of one submission: its results, its late penalty in points, and a sentence for each rule."""

    results: dict[str, Any]
    late_penalty: float = 0.0
    sentences: tuple[str, ...] = ()


def applied(classroom: Classroom, lab: str, student: str, results: Mapping[str, Any]) -> Applied:
    """Apply the class's policy to the results of one submission; raises `PolicyError`."""
    policy = policy_of(classroom)
    graded, dropped = _without_ungraded(results, policy, classroom.course.labs[lab])
    sentences = [f"{NOT_GRADED[:-1]}: {', '.join(dropped)}."] if dropped else []
    if (student, lab) in policy.excused:
        return Applied(graded, 0.0, (*sentences, "You are excused from this lab: it does not count towards your mark."))
    days, unclear = _days_late(policy, classroom, lab, student)
    penalty = policy.penalty(days, float(graded["score"]))
    due = policy.due_for(lab, student)
    if extension := policy.extensions.get((student, lab)):
        sentences.append(f"Your due date was extended by {_spoken(extension)}.")
    if policy.late and due and days:
        rate, floor = (f"{100 * each:g} %" for each in (policy.late.per_day, policy.late.floor))
        what = f"{days} {'day' if days == 1 else 'days'} late (due {due:%Y-%m-%d %H:%M %Z})"
        rule = f"{rate} of the automatic points for each started day, at least {floor} remain"
        sentences.append(f"Handed in {what}: −{as_points(penalty)} points ({rule}).{unclear}")
    return Applied(graded, penalty, tuple(sentences))


def _days_late(policy: Policy, classroom: Classroom, lab: str, student: str) -> tuple[int, str]:
    """Return the started days after the due date, and a remark.

    Archives of a course site may have the time of download instead. Then only a file that the site marks late is late,
    by one day.
    """
    submitted_at = collected_at(classroom.submitted / student / lab)
    days = policy.days_late(lab, student, submitted_at)
    one = records.load(classroom, lab).get(student)
    if not days or one is None or one.is_submission_time:
        return days, ""
    return (1, " Canvas marked it late, without saying by how much: one day counts.") if one.is_late else (0, "")


def _without_ungraded(results: Mapping[str, Any], policy: Policy, lab: Lab) -> tuple[dict[str, Any], list[str]]:
    """Return the results without the points of ungraded checks, and the names of these checks with their points."""
    if not policy.ungraded:
        return dict(results), []
    graded: dict[str, Any] = copy.deepcopy(dict(results))
    ours = graded["streamlab"]
    bonus = ours.get("bonus", {}).get("tasks", [])
    dropped: dict[str, float] = {}
    for each in ours["checks"]:
        if each["check"] in policy.ungraded.get(each["task"], ()):
            name = f"{each['task']}/{each['check']}"
            dropped[name] = _drop(each, ours.get("open", {}).pop(name, 0.0))
    rules = ours.get("points", {}).get("throughput", {})
    is_unreadable = not rules and not ours["throughput"]  # then the maximum has the points of all checks
    for each in ours["throughput"]:
        if THROUGHPUT in policy.ungraded.get(each["task"], ()):
            name = f"{each['task']}/{each['check']}"
            dropped[name] = _drop(each, ours.get("open", {}).pop(name, 0.0))
            rules.pop(each["task"], None)
    for task in [each for each in rules if THROUGHPUT in policy.ungraded.get(each, ())]:
        dropped[f"{task}/{THROUGHPUT}"] = rules.pop(task)
    if is_unreadable:
        for name, points in _throughput_points(policy, lab).items():
            dropped[name] = points
            graded["max_score"] -= points
    if not dropped:
        return graded, []
    for test in graded["tests"]:
        if test["name"].partition("/")[2] in dropped:
            graded |= {key: round(graded[key] - test[key], 2) for key in ("score", "max_score") if test["max_score"]}
            test |= {"score": 0.0, "max_score": 0.0}
    if "lab" in ours.get("points", {}):
        counted = sum(points for name, points in dropped.items() if name.partition("/")[0] not in bonus)
        ours["points"]["lab"] = round(ours["points"]["lab"] - counted, 2)
    return graded, _in_words(dropped, {f"{each['task']}/{each['check']}" for each in ours["checks"]})


def _throughput_points(policy: Policy, lab: Lab) -> dict[str, float]:
    """Return the points of the throughput checks that are not graded."""
    rules = {name: task.throughput for name, task in lab.tasks.items() if THROUGHPUT in policy.ungraded.get(name, ())}
    return {f"{name}/{THROUGHPUT}": rule.points for name, rule in rules.items() if rule}


def _in_words(dropped: Mapping[str, float], judged: Set[str]) -> list[str]:
    """Return the dropped checks with their points; a task of which nothing is graded stands for its checks."""
    words: dict[str, float] = {}
    for name, points in dropped.items():
        task = name.partition("/")[0]
        rest = {each for each in judged if each.startswith(f"{task}/")} - dropped.keys()
        words[name if rest else task] = words.get(name if rest else task, 0.0) + points
    return [f"{name} ({as_points(points)} points)" for name, points in words.items()]


def _drop(check: dict[str, Any], open_points: float) -> float:
    """Take the points from a check, and return how many it had."""
    points = float(check["max_points"]) or open_points
    check |= {"points": 0.0, "max_points": 0.0, "sentence": f"{NOT_GRADED} {check['sentence']}"}
    return points


def _spoken(span: timedelta) -> str:
    """Return a time in hours or days. Example: _spoken(timedelta(days=3)) -> "3 days"."""
    hours = span.total_seconds() / 3600
    return f"{hours / 24:g} days" if hours >= 48 else f"{hours:g} hours"


class PolicyPenalties(AssignLatePenalties):
    """nbgrader's AssignLatePenalties, with the penalties of the class's policy if it has any."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Record the penalty of one submission."""
        classroom = Classroom.of_this_kit()
        about = resources["nbgrader"]
        if policy_of(classroom).late is None:
            return super().preprocess(nb, resources)
        lab, student = about["assignment"], about["student"]
        found = cached_results.load(classroom.results_of(lab, student))
        with Gradebook(about["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(about["notebook"], lab, student)
            penalty = applied(classroom, lab, student, found.results).late_penalty if found else 0.0
            notebook.late_submission_penalty = penalty or None
            gradebook.db.commit()
        return nb, resources
