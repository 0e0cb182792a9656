"""Judges submissions of a class, each with its student's seed, and yields each result as soon as it is ready."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograder.classroom.cached_results import CachedResult, Provenance, as_judged, provenance_of
from autograder.classroom.folder import Classroom, HandedIn
from autograder.judge.batch import judge_each
from autograder.judge.request import Request

BATCH_PER_WORKER = 4


def judge_submissions(
    classroom: Classroom, lab: str, submissions: Sequence[HandedIn], request: Request
) -> Iterator[tuple[HandedIn, CachedResult]]:
    """Judge `submissions`, `request.workers` at a time, without progress within one: a class has too many of them.

    With throughput checks, submissions are judged in batches, since the throughput checks of a batch wait until its
    other checks are done. Thus results can be cached early, and memory use does not grow with the class.
    """
    size = BATCH_PER_WORKER * request.workers if request.throughput else max(1, len(submissions))
    for start in range(0, len(submissions), size):
        batch = submissions[start : start + size]
        orders = [(each.notebook, replace(request, seed=classroom.seed_of(lab, each.student))) for each in batch]
        for at, results in judge_each(orders, request.workers):
            now = provenance_now(classroom, lab, batch[at], request.throughput)
            yield batch[at], CachedResult(as_judged(now, results), results)


def provenance_now(classroom: Classroom, lab: str, one: HandedIn, throughput: bool) -> Provenance:
    """Return the provenance of a result made now."""
    seed, builds_on = classroom.seed_of(lab, one.student), classroom.course.labs[lab].builds_on
    return provenance_of(one.notebook, lab, seed, throughput, classroom.root, builds_on)
