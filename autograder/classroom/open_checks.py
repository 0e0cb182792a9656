"""Judges again the checks that a busy machine left open; after `TRIES_MAX` tries, somebody has to grade them by hand.

A check that was decided stays as it is: only the open ones get a new verdict.
"""

from dataclasses import replace

from autograder.classroom.cached_results import CachedResult, Results
from autograder.classroom.class_judge import judge_submissions
from autograder.classroom.folder import Classroom, HandedIn
from autograder.judge.request import Request
from autograder.judge.results import open_checks, why_not_judged, with_newer

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
    return with_newer(before, after, set(open_checks(before)).__contains__)


def still_to_be_judged(results: Results, lab: str, tries: int) -> str:
    """Return what is open in a result, and what to do. Example: "3 points still to be judged: words/…"."""
    left = open_checks(results)
    first = str(results["streamlab"]["ungraded"][0])
    count = f"{sum(left.values()):g}"
    how = f"give them with `./lab mark {lab}`, or judge them on a quieter machine with `./lab grade {lab} --again`"
    return f"{count} point{'' if count == '1' else 's'} still to be judged after {tries} tries ({first}); {how}"
