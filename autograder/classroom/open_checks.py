"""Judges again the checks that a busy machine left open; after `TRIES_MAX` tries, somebody has to grade them by hand.

A check that was decided stays as it is: only the open ones get a new verdict.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from autograder.classroom.cached_results import CachedResult, Results
from autograder.classroom.class_judge import judge_submissions
from autograder.classroom.folder import Classroom, HandedIn
from autograder.judge.request import Request
from autograder.judge.results import open_checks, totals, why_not_judged

TRIES_MAX = 3


def judged_again(classroom: Classroom, lab: str, one: HandedIn, result: CachedResult, request: Request) -> CachedResult:
    """Return the result with new verdicts for its open checks, alone on this machine, until the tries are used up."""
    while (left := open_checks(result.results)) and result.tries < TRIES_MAX:
        tasks = tuple(dict.fromkeys(name.partition("/")[0] for name in left))
        again = replace(request, tasks=tasks, workers=1)
        (_, newer), *_ = judge_submissions(classroom, lab, [one], again)
        now = result.results if why_not_judged(newer.results) else with_decided(result.results, newer.results)
        result = replace(result, results=now, tries=result.tries + 1)
    return result


def with_decided(before: Results, after: Results) -> Results:
    """Return the results `before`, with the verdicts of `after` in place of its open ones."""
    ours, newer, was_open = before["streamlab"], after["streamlab"], set(open_checks(before))

    def merged(old: list[Any], new: list[Any], name_of: Any) -> list[Any]:
        found = {name_of(each): each for each in new}
        return [found.get(name_of(each), each) if name_of(each) in was_open else each for each in old]

    tests = merged(before["tests"], after["tests"], lambda test: test["name"].partition("/")[2])
    lists = {key: merged(ours[key], newer[key], _name_of) for key in ("checks", "throughput")}
    still_open = {name: count for name, count in open_checks(after).items() if name in was_open}
    return {
        **before,
        **totals(tests),
        "tests": tests,
        "streamlab": {**ours, **lists, "open": still_open, "ungraded": _about(newer["ungraded"], still_open)},
    }


def _name_of(check: Mapping[str, Any]) -> str:
    return f"{check['task']}/{check['check']}"


def _about(sentences: list[str], names: Collection[str]) -> list[str]:
    return [each for each in sentences if each.partition(":")[0] in names]


def still_to_be_judged(results: Results, lab: str, tries: int) -> str:
    """Return what is open in a result, and what to do. Example: "3 points still to be judged: words/…"."""
    left = open_checks(results)
    first = str(results["streamlab"]["ungraded"][0])
    count = f"{sum(left.values()):g}"
    how = f"give them with `./lab mark {lab}`, or judge them on a quieter machine with `./lab grade {lab} --again`"
    return f"{count} point{'' if count == '1' else 's'} still to be judged after {tries} tries ({first}); {how}"
