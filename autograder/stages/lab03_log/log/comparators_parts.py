"""Which of a learner's own parts is wrong, where the log that is put together from them is wrong."""

import functools
from dataclasses import replace

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.registry import Judge
from autograder.stages.lab03_log.segments import checks, drive

JUDGES: dict[str, Judge] = {
    "recover_segment": checks.same_recovery,
    "SparseIndex": checks.same_index,
    "Segment": checks.same_segment,
    "SegmentList": checks.same_list,
}


def with_the_part(judge: Judge) -> Judge:
    """A judge whose sentences name the first part that fails its probe, too."""

    @functools.wraps(judge)
    def judged(case: Case, rows: Rows) -> Mismatch | None:
        mismatch = judge(case, rows)
        return mismatch and replace(mismatch, sentence=f"{mismatch.sentence}{_first_wrong_part(rows.get('parts'))}")

    return judged


def _first_wrong_part(parts: object) -> str:
    for task, probe in drive.PROBES.items():
        rows = parts.get(task) if isinstance(parts, dict) else None
        if isinstance(rows, dict) and (wrong := _wrong(task, probe, rows)):
            return f" Begin with your {task}, which PartitionLog is built of: {wrong}"
    return ""


def _wrong(task: str, probe: Case, rows: Rows) -> str | None:
    if "failed" in rows:
        return f"it stops with {rows['failed']}"
    mismatch = JUDGES[task](probe, rows)
    return mismatch.sentence if mismatch else None
