"""Judge submissions of a class, each with the seed of its student; results come as they are ready, to be kept."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from autograder.classroom.cached_results import CachedResult, Origin, as_judged, provenance_of
from autograder.classroom.folder import Classroom, HandedIn
from autograder.judge.batch import judge_each
from autograder.judge.request import OnProgress, Request

BATCH_PER_WORKER = 4


def judged_anew(
    classroom: Classroom,
    lab: str,
    submissions: Sequence[HandedIn],
    request: Request,
    on_progress: OnProgress = lambda text: None,
) -> Iterator[tuple[HandedIn, CachedResult]]:
    """Judge `submissions`, `request.workers` at a time.

    With throughput checks they go in batches, since the throughput checks of a batch wait until its checks are done:
    so a result is kept soon, and what is held in memory does not grow with the class.
    """
    size = BATCH_PER_WORKER * request.workers if request.throughput else max(1, len(submissions))
    for start in range(0, len(submissions), size):
        batch = submissions[start : start + size]
        orders = [(each.notebook, replace(request, seed=classroom.seed_of(lab, each.student))) for each in batch]
        for at, results in judge_each(orders, request.workers, on_progress):
            yield batch[at], _kept(classroom, lab, batch[at], request, results)


def _kept(classroom: Classroom, lab: str, one: HandedIn, request: Request, results: dict[str, Any]) -> CachedResult:
    return CachedResult(as_judged(provenance_now(classroom, lab, one, request.throughput), results), results)


def provenance_now(classroom: Classroom, lab: str, one: HandedIn, throughput: bool) -> Origin:
    """What a result would be made from if it were made now."""
    seed, builds_on = classroom.seed_of(lab, one.student), classroom.course.labs[lab].builds_on
    return provenance_of(one.notebook, lab, seed, throughput, classroom.root, builds_on)
