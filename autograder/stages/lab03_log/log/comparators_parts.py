"""Find the learner's part that causes the mistake of a log."""

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
ALSO_JUDGED = [(judge, drive.PROBES[task]) for task, judge in JUDGES.items()]  # in addition to the cases of checks


def with_the_part(judge: Judge) -> Judge:
    """Return a judge whose sentences also name the first part that fails its probe."""

    @functools.wraps(judge)
    def judged(case: Case, rows: Rows) -> Mismatch | None:
        mismatch = judge(case, rows)
        return mismatch and replace(mismatch, sentence=f"{mismatch.sentence}{_first_wrong_part(rows.get('parts'))}")

    return judged


def _first_wrong_part(parts: object) -> str:
    for task, probe in drive.PROBES.items():
        rows = parts.get(task) if isinstance(parts, dict) else None
        if isinstance(rows, dict) and (wrong := _wrong(task, probe, rows)):
            return f" First fix your {task}, which PartitionLog uses: {wrong}"
    return ""


def _wrong(task: str, probe: Case, rows: Rows) -> str | None:
    if "failed" in rows:
        return f"it stops with {rows['failed']}"
    mismatch = JUDGES[task](probe, rows)
    return mismatch.sentence if mismatch else None
