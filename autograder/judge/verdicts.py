"""Turns outcomes into verdicts: one for each check, with points, a sentence and the evidence."""

from dataclasses import dataclass, field, replace
from typing import Any

from autograder.checks import Check, Mismatch
from autograder.checks.cut_texts import cut
from autograder.checks.recorded import UnknownQuestion
from autograder.judge.evidence import can_be_shown, evidence_of
from autograder.judge.jobs import NumberedCase
from autograder.judge.outcomes import Driven, Outcome
from autograder.judge.quoted_words import words_from


@dataclass(frozen=True)
class Verdict:
    """The result of a check. `verdict` is pass, fail, error, timeout, skipped or inconclusive.

    `ungraded` marks a check that the judge could not decide, through no fault of the submission. It has 0 of 0 points
    and does not enter any mark; `open_points` are still to be judged. `also_runs` is that of the mismatch. `quoted` are
    the words of the sentence that may come from the submission's answers. `waits_for` is the failing check because of
    which a failure of this one is not judged, or the task of an earlier lab without which it cannot be; or "".
    """

    task: str
    check: str
    title: str
    verdict: str
    points: float
    max_points: float
    sentence: str
    evidence: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    ungraded: bool = False
    open_points: float = 0.0
    also_runs: tuple[str, ...] = ()
    quoted: frozenset[str] = frozenset()
    waits_for: str = ""


def left_ungraded(verdict: Verdict) -> Verdict:
    """Return the verdict as ungraded, with 0 of 0 points, so `./lab grade` judges it again."""
    left = replace(verdict, verdict="inconclusive", evidence={}, ungraded=True)
    consequence = "so this check is not graded and does not count; judge it again."
    sentence = f"{verdict.sentence.rstrip('.')}, {consequence}"
    return replace(left, points=0.0, max_points=0.0, open_points=verdict.max_points, sentence=sentence)


@dataclass(frozen=True)
class Problem:
    """The first case of a check that does not pass: its outcome, the kind of verdict, and the mismatch."""

    case: NumberedCase
    outcome: Outcome
    verdict: str
    mismatch: Mismatch


def deciding_case(check: Check, cases: list[NumberedCase], driven: Driven) -> Problem | None:
    """Return the first case of a check that does not pass; None if all do."""
    for case in cases:
        outcome = driven.outcomes.get(case.id, Outcome("died", message="this case was not reached"))
        if (found := judge_case(check, case, outcome)) is not None:
            return Problem(case, outcome, *found)
    return None


def clearest_case(check: Check, cases: list[NumberedCase], driven: Driven) -> Problem | None:
    """Return the first case of a check that does not pass; of wrong answers, the first whose case can be shown."""
    first = deciding_case(check, cases, driven)
    if first is None or first.verdict != "fail" or can_be_shown(first.case.input):
        return first
    short = (each for each in cases if each.id in driven.outcomes and can_be_shown(each.input))
    problems = (deciding_case(check, [each], driven) for each in short)
    return next((each for each in problems if each and each.verdict == "fail"), first)


def judge_check(check: Check, cases: list[NumberedCase], driven: Driven, points: float) -> Verdict:
    """Judge one check from the rows of its cases; the evidence shows the clearest case that does not pass."""
    seconds = sum(driven.outcomes[each.id].seconds for each in cases if each.id in driven.outcomes)
    problem = clearest_case(check, cases, driven)
    if problem is None:
        how_many = f"{len(cases)} case{'s' if len(cases) != 1 else ''}"
        return _verdict(check, "pass", points, points, f"Passed {how_many}.", {}, seconds)
    kind, mismatch = problem.verdict, problem.mismatch
    violated = check if kind == "fail" else None
    evidence = {} if kind == "skipped" else evidence_of(mismatch, problem.case.input, violated)
    judged = _verdict(check, kind, 0.0, points, mismatch.sentence, evidence, seconds)
    quoted = words_from(problem.outcome.answer, mismatch.sentence)
    judged = replace(judged, also_runs=mismatch.also_runs, quoted=quoted)
    return left_ungraded(judged) if kind == "inconclusive" else judged


def _verdict(
    check: Check, verdict: str, points: float, most: float, sentence: str, evidence: dict[str, str], seconds: float
) -> Verdict:
    return Verdict(check.task, check.name, check.title, verdict, points, most, sentence, evidence, seconds)


def first_hint(task: str) -> str:
    """Return the command for the first hint of a task, by its full name: "lab01_wordcount/words"."""
    return f"Hint 1 of 3: ./lab hint {task}"


def judge_case(check: Check, case: NumberedCase, outcome: Outcome) -> tuple[str, Mismatch] | None:
    """Return the kind of verdict and the mismatch, or None if the check holds."""
    if outcome.kind == "rows":
        return _judge_rows(check, case, outcome.rows)
    if outcome.kind == "ungraded":
        return "inconclusive", Mismatch(f"{check.task} could not be judged: {outcome.message}. This is not your fault")
    if outcome.kind == "timeout":
        return "timeout", Mismatch(f"{check.task} timed out: {outcome.message}.")
    if outcome.kind == "untried":
        return "skipped", Mismatch(f"{check.task} was not tried: an earlier case timed out.")
    if outcome.kind == "died":
        return "error", Mismatch(f"{check.task} crashed: {outcome.message}.")
    if outcome.kind == "changed":
        why = "The submission changed the judging code in its sandbox, so its rows do not count"
        return "error", Mismatch(f"{why}: {outcome.message}.")
    if outcome.error == "NotImplementedError":
        return "skipped", Mismatch(f"{check.task} is not written yet.")
    if outcome.error == "TaskMissing":
        return "error", Mismatch(f"{outcome.message}.")
    if outcome.error == "UnreadableAnswer":
        return "error", Mismatch(f"{check.task} returned a value that cannot be checked: {outcome.message}.")
    if not outcome.line:
        return "error", Mismatch(f"The check could not use {check.task}: {outcome.error}: {outcome.message}")
    cell = "its cell" if outcome.cell in ("", check.task) else f"another cell ({outcome.cell})"
    where = f"{check.task} stopped at line {outcome.line} of {cell}"
    return "error", Mismatch(f"{where} with {outcome.error}: {outcome.message}")


def _judge_rows(check: Check, case: NumberedCase, rows: dict[str, Any]) -> tuple[str, Mismatch] | None:
    try:
        mismatch = check.judge(case.input, rows)
    except UnknownQuestion as problem:
        return "inconclusive", Mismatch(f"{check.task} could not be judged: {problem}")
    except Exception as problem:
        return "error", unreadable(problem, rows)
    return ("fail", mismatch) if mismatch else None


def unreadable(problem: Exception, rows: dict[str, Any]) -> Mismatch:
    """Return the mismatch for rows that a check could not compare."""
    why = f"The result has a form that this check cannot read ({type(problem).__name__}: {problem})"
    return Mismatch(cut(why, 300) + ".", got=rows)
