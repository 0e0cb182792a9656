"""The results.json of one submission, a superset of Gradescope's format.

Equal inputs give equal bytes, except for `timing` and the figures of throughput checks.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from autograder.checks.teaching import invariants
from autograder.course import Course, Lab
from autograder.intake import Rejected, Submission
from autograder.judge.cell_digests import task_cell_digests
from autograder.judge.chain import Chain
from autograder.judge.hidden_text import active_content_notes
from autograder.judge.outcomes import Driven
from autograder.judge.quotes import Quota, first_findings
from autograder.judge.stop import Stop
from autograder.judge.throughput import ThroughputResult
from autograder.judge.verdicts import Verdict, first_hint
from autograder.sandbox.event_reader import writable

FORGED = "Something other than the runner wrote to the result channel; the judge ignored it."


@dataclass(frozen=True)
class Circumstances:
    """The course, the sandbox level and the seed with which a submission is judged, and what ends its sandboxes."""

    course: Course
    sandbox: str
    seed: str
    stop: Stop = field(default_factory=Stop, compare=False, repr=False)


def seed_id(seed: str) -> str:
    """Return a short name for a seed that does not reveal it."""
    return hashlib.sha256(f"streamlab seed {seed}".encode()).hexdigest()[:12]


def results_of(
    submission: Submission,
    verdicts: list[Verdict],
    throughput_checks: list[ThroughputResult],
    driven: Driven,
    how: Circumstances,
    total_s: float,
    chain: Chain | None = None,
) -> dict[str, Any]:
    """Return the results object of one submission."""
    lab, chain = how.course.labs[submission.lab], chain or Chain()
    findings = first_findings([*driven.findings, *(note for each in throughput_checks for note in each.findings)])
    quota = Quota([*driven.notes, *findings])
    fallbacks = chain.fallbacks(quota.sentence)
    shown = quota.verdicts([each.verdict for each in throughput_checks])
    throughput_checks = [replace(each, verdict=v) for each, v in zip(throughput_checks, shown, strict=True)]
    verdicts = quota.verdicts(verdicts)
    ordered = [v for task in lab.tasks for v in [*verdicts, *(r.verdict for r in throughput_checks)] if v.task == task]
    tests = [_test(submission.lab, v, how.course) for v in ordered]
    results = {
        **totals(tests),
        "tests": tests,
        "streamlab": {
            **_head(submission.lab, submission.name, how),
            "points": points_of(lab, {v.task for v in ordered}),
            "bonus": _bonus(how.course, lab),
            "open": {f"{v.task}/{v.check}": v.open_points for v in ordered if v.ungraded},
            "checks": [check_as_json(submission.lab, v) for v in verdicts],
            "throughput": [_throughput(r) for r in throughput_checks],
            "notes": _notes(submission, ordered, throughput_checks, driven, findings),
            "fallbacks": fallbacks,
            "digests": _digests(submission, chain, {v.task for v in ordered}),
            "limits_hit": driven.limits_hit,
            "ungraded": [f"{v.task}/{v.check}: {v.sentence}" for v in ordered if v.ungraded],
            "timing": _timing(driven, verdicts, total_s),
        },
    }
    return dict(writable(results))


def _digests(submission: Submission, chain: Chain, judged: Set[str]) -> dict[str, Any]:
    cells = task_cell_digests(submission.cells)
    tasks = {task: digest for task, digest in cells.items() if task in judged}
    return {"notebook": submission.digest, "earlier": chain.digests(), "tasks": tasks}


def _notes(
    submission: Submission,
    verdicts: list[Verdict],
    throughput_checks: list[ThroughputResult],
    driven: Driven,
    findings: list[str],
) -> list[str]:
    """Return the notes on the submission as a whole, without duplicates."""
    forged = [FORGED] if driven.not_believed or any(measured.not_believed for measured in throughput_checks) else []
    notes = [*submission.notes, *driven.notes, *findings, *forged]
    sentences = [text for v in verdicts for text in (v.sentence, v.evidence.get("got", ""))]
    texts = [submission.name, *notes, *driven.limits_hit, *sentences]
    return list(dict.fromkeys([*notes, *active_content_notes(texts, driven.printed)]))


def results_of_rejected(path_name: str, rejected: Rejected, how: Circumstances) -> dict[str, Any]:
    """Return the results object of a file that could not be judged: no points, and the reason."""
    lab = how.course.labs.get(rejected.lab or "")
    checks = [(t, c, p) for t, task in lab.tasks.items() for c, p in task.checks.items()] if lab else []
    why = str(rejected) if str(rejected).endswith((".", "?")) else f"{rejected}."
    verdicts = [Verdict(t, c, c.replace("_", " "), "error", 0.0, p, f"Not judged: {why}") for t, c, p in checks]
    results = {
        "score": 0.0,
        "max_score": round(lab.judged_points, 2) if lab else 0.0,
        "tests": [_test(rejected.lab or "", v, how.course) for v in verdicts],
        "streamlab": {
            **_head(rejected.lab, path_name, how),
            "points": {**points_of(lab, set(lab.tasks)), "throughput": {}} if lab else {},
            "bonus": _bonus(how.course, lab) if lab else {},
            "open": {},
            "checks": [check_as_json(rejected.lab or "", v) for v in verdicts],
            "throughput": [],
            "notes": [why, *active_content_notes([path_name, str(rejected)], "")],
            "fallbacks": [],
            "digests": {"notebook": rejected.digest, "earlier": {}, "tasks": {}},
            "limits_hit": [],
            "ungraded": [],
            "timing": {},
        },
    }
    return dict(writable(results))


def totals(tests: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return `score` and `max_score` of Gradescope's tests, without those of bonus tasks, whose `max_score` is 0."""
    core = [each for each in tests if each["max_score"]]
    return {key: round(sum(each[key] for each in core), 2) for key in ("score", "max_score")}


def _bonus(course: Course, lab: Lab) -> dict[str, Any]:
    """Return the bonus tasks, whose points are in no total."""
    tasks = [name for name, task in lab.tasks.items() if task.bonus]
    return {"tasks": tasks, "is_extra_credit": course.bonus == "extra"} if tasks else {}


def bonus_points(results: Mapping[str, Any], task: str | None = None) -> float:
    """Return the points of one bonus task, or of all; 0 for any other task."""
    ours = results["streamlab"]
    tasks = ours.get("bonus", {}).get("tasks", [])
    return round(
        sum(each["points"] for each in ours["checks"] if each["task"] in tasks and task in (None, each["task"])), 2
    )


def extra_credit(results: Mapping[str, Any], task: str) -> float:
    """Return the points of a bonus task if bonus counts as extra credit, otherwise 0."""
    is_extra = results["streamlab"].get("bonus", {}).get("is_extra_credit", False)
    return bonus_points(results, task) if is_extra else 0.0


def points_of(lab: Lab, judged: Set[str]) -> dict[str, Any]:
    """Return the points of the whole lab, and of the parts that a results object may leave out.

    These are the questions graded by hand, each throughput check, and the tasks that were not requested.
    Example: of a lab of 40 points -> {"lab": 40, "manual": 6, "throughput": {"count_words": 3}, "tasks_not_judged": 0}
    """
    rules = {name: task.throughput for name, task in lab.tasks.items() if name in judged}
    return {
        "lab": lab.points,
        "manual": round(sum(lab.written.values()), 2),
        "throughput": {name: rule.points for name, rule in rules.items() if rule},
        "tasks_not_judged": round(sum(task.points for name, task in lab.core.items() if name not in judged), 2),
    }


def why_not_judged(results: Mapping[str, Any]) -> str | None:
    """Return the fault of the judge because of which these results give no mark, or None."""
    ours = results["streamlab"]
    return str(ours["notes"][0]) if ours.get("judge_failed") else None


def open_checks(results: Mapping[str, Any]) -> dict[str, float]:
    """Return the checks that could not be decided, with their points. Example: {"words/no_word_is_empty": 1.0}."""
    return dict(results["streamlab"].get("open", {}))


def name_of(check: Mapping[str, Any]) -> str:
    """Return the name of an entry of `tests`, `checks` or `throughput`: "words/no_word_is_empty"."""
    return str(check["name"]).partition("/")[2] if "name" in check else f"{check['task']}/{check['check']}"


def with_newer(before: Mapping[str, Any], after: Mapping[str, Any], is_newer: Callable[[str], bool]) -> dict[str, Any]:
    """Return the results `before`, with the verdicts of `after` on the checks whose names `is_newer` accepts.

    A check keeps its place, and one that is new comes after the others of its task. What is about the whole submission,
    such as notes and digests, stays.
    """
    ours, newer = before["streamlab"], after["streamlab"]

    def merged(old: list[Any], new: list[Any]) -> list[Any]:
        every = {name_of(each): each for each in old} | {name_of(each): each for each in new if is_newer(name_of(each))}
        tasks = [name.partition("/")[0] for name in every]
        return [every[name] for name in sorted(every, key=lambda name: tasks.index(name.partition("/")[0]))]

    tests = merged(before["tests"], after["tests"])
    lists = {key: merged(ours[key], newer[key]) for key in ("checks", "throughput")}
    still_open = {name: count for name, count in open_checks(before).items() if not is_newer(name)}
    still_open |= {name: count for name, count in open_checks(after).items() if is_newer(name)}
    ungraded = [each for each in ours["ungraded"] if not is_newer(each.partition(":")[0])]
    ungraded += [each for each in newer["ungraded"] if is_newer(each.partition(":")[0])]
    ours = {**ours, **lists, "open": still_open, "ungraded": ungraded}
    return {**before, **totals(tests), "tests": tests, "streamlab": ours}


def _head(lab: str | None, name: str, how: Circumstances) -> dict[str, Any]:
    title = how.course.labs[lab].title if lab in how.course.labs and lab else ""
    return {
        "course": how.course.course,
        "lab": lab,
        "lab_title": title,
        "release": how.course.release,
        "submission": name,
        "seed_id": seed_id(how.seed),
        "sandbox": how.sandbox,
    }


def _test(lab: str, verdict: Verdict, course: Course) -> dict[str, Any]:
    """Return Gradescope's test; a bonus task has a `max_score` of 0, and a score only as extra credit."""
    is_bonus = course.labs[lab].tasks[verdict.task].bonus
    return {
        "name": f"{lab}/{verdict.task}/{verdict.check}",
        "score": 0.0 if is_bonus and course.bonus == "information" else verdict.points,
        "max_score": 0.0 if is_bonus else verdict.max_points,
        "status": "passed" if verdict.points == verdict.max_points and not verdict.ungraded else "failed",
        "output": verdict.sentence,
        "visibility": "visible",
    }


def check_as_json(lab: str, verdict: Verdict) -> dict[str, Any]:
    """Return one entry of `checks`; its duration is in `timing`, with the other figures that vary."""
    evidence = spelled_out(lab, verdict)
    return {**_claim(verdict), "waits_for": verdict.waits_for, "evidence": evidence, "seconds": 0.0}


def _claim(verdict: Verdict) -> dict[str, Any]:
    return {
        "task": verdict.task,
        "check": verdict.check,
        "title": verdict.title,
        "verdict": verdict.verdict,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "sentence": verdict.sentence,
    }


def spelled_out(lab: str, verdict: Verdict) -> dict[str, str]:
    """Return the evidence with the invariant's text in place of its number, and the command for the first hint.

    A check that waits for another one leaves the hint to that one.
    """
    evidence = dict(verdict.evidence)
    if evidence.get("invariant", "").isdigit():
        number = int(evidence["invariant"])
        evidence["invariant"] = f"Invariant {number}: {invariants(lab).get(number, '')}"
    if verdict.verdict in ("fail", "error", "timeout", "skipped") and not verdict.waits_for:
        evidence.setdefault("hint", first_hint(f"{lab}/{verdict.task}"))
    return evidence


def _throughput(measured: ThroughputResult) -> dict[str, Any]:
    ratio = measured.ratio
    mine, baseline = ([rates[side] for rates in measured.pairs] for side in (0, 1))
    return {
        **_claim(measured.verdict),
        "ratio": ratio.value if ratio else None,
        "low": round(ratio.low, 6) if ratio else None,
        "high": round(ratio.high, 6) if ratio else None,
        "baseline": measured.baseline,
        "threshold": measured.threshold,
        "pairs": len(measured.pairs),
        "unit": measured.unit,
        "rate_per_s": median(mine) if mine else None,
        "baseline_per_s": median(baseline) if baseline else None,
        "samples": [[float(f"{each:.6g}") for each in pair] for pair in measured.pairs],
    }


def _timing(driven: Driven, verdicts: list[Verdict], total_s: float) -> dict[str, Any]:
    return {
        "total_s": round(total_s, 2),
        "load_s": round(driven.load_s, 2),
        "spark_start_s": round(driven.spark_start_s, 2),
        "peak_mb": driven.peak_mb,
        "sandboxes": driven.sandboxes,
        "slowest_case_s": {task: round(granted_s, 3) for task, granted_s in driven.slowest_s.items()},
        "most_values": driven.most_values,
        "checks_s": {f"{v.task}/{v.check}": round(v.seconds, 3) for v in verdicts},
    }
