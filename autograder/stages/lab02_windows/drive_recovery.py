"""Running a recoverable job of the learner's, killing it, and starting it again. Keeps out: what its totals should be.

The run that is killed is a process of its own, with a Java of its own (`autograder.inside.killable_job`). The run
after it is in this process, which knows nothing of the first.
"""

from pathlib import Path
from typing import Any

from autograder.inside.killable_job import JobToKill
from autograder.inside.rows import Rows, a_kind, plain

BATCH_S = 0.4


def totals_of(start: Any, files: list[list[str]], kill_after: int | None, scratch: Path) -> Rows:
    """The totals after all `files`; the job is killed after `kill_after` of them, and the next comes meanwhile."""
    from streamlab.spark.restarted_job import NoContext, RestartedJob

    job, left = RestartedJob(start, scratch), list(files)
    if kill_after is not None:
        with JobToKill(start, str(job.checkpoint), str(job.incoming), folder=scratch) as first:
            job.play([left.pop(0) for _ in left[:kill_after]], first.pause)
        if left:
            job.arrive(left.pop(0))
    try:
        totals = plain(job.run(left))
    except NoContext as other:
        return {"returned": a_kind(other.came)}
    return {"totals": totals, "restarts": int(kill_after is not None), "files_of_totals": len(job.batches_ms())}
