"""Find out whether the learner's `Segment` causes the mistake of a log."""

import functools
from dataclasses import replace

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.registry import Judge
from autograder.stages.lab03_log.segments.checks import same_segment
from autograder.stages.lab03_log.segments.drive import PROBE

ALSO_JUDGED = [(same_segment, PROBE)]  # in addition to the cases of checks


def with_the_part(judge: Judge) -> Judge:
    """Return a judge whose sentences also say what is wrong with a segment that fails its probe."""

    @functools.wraps(judge)
    def judged(case: Case, rows: Rows) -> Mismatch | None:
        mismatch = judge(case, rows)
        return mismatch and replace(mismatch, sentence=f"{mismatch.sentence}{_wrong_segment(rows.get('segment'))}")

    return judged


def _wrong_segment(rows: object) -> str:
    if not isinstance(rows, dict):
        return ""
    mismatch = None if "failed" in rows else same_segment(PROBE, rows)
    wrong = f"it stops with {rows['failed']}" if "failed" in rows else mismatch and mismatch.sentence
    return f" First fix your Segment, which PartitionLog uses: {wrong}" if wrong else ""
