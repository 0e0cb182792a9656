"""Drive `recoverable_counts`: run the job, kill it, restart it.

The run that is killed is a separate process with a separate Java (`streamlab.spark.killable_job`). The next run is in
this process, which knows nothing of the first one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.patience import patient
from autograder.inside.rows import Rows, plain, type_name
from streamlab.lab02_windows.restarted_job import PATIENCE_S
from streamlab.spark.killable_job import KillableJob

BATCH_S = 0.4
FIRST_TOTAL = 100


@drive("recoverable_counts")
def recoverable_counts(stage: Any, spark: Any, case: Any, scratch: Path) -> Rows:
    """Return the totals after all files; if the case asks for it, the job is killed and restarted in between."""
    with stage.replaced(running_counts=totals_from(FIRST_TOTAL), BATCH_S=BATCH_S):
        return totals_of(stage.recoverable_counts, case["files"], case["kill_after_files"], scratch)


def totals_from(first: int) -> Callable[[Any], Any]:
    """Return a stub of `running_counts` whose totals begin at `first`, so that it passes no check of that task."""
    return lambda pairs: pairs.updateStateByKey(lambda new, total: sum(new, first if total is None else total))


def totals_of(start: Any, files: list[list[str]], kill_after: int | None, scratch: Path) -> Rows:
    """Return the totals after all `files`; the job is killed after `kill_after`, and the next file arrives then."""
    from streamlab.lab02_windows.restarted_job import NoContext, RestartedJob, require_context

    job, left = RestartedJob(start, scratch), list(files)
    try:
        if kill_after is not None:
            require_context(start, scratch / "probe")
            first_job = KillableJob(start, str(job.checkpoint), str(job.incoming), folder=scratch)
            with patient(PATIENCE_S), first_job as first:
                job.play([left.pop(0) for _ in left[:kill_after]], first.pause)
            if left:
                job.arrive(left.pop(0))
        with patient(PATIENCE_S):
            totals = plain(job.run(left))
    except NoContext as other:
        return {"returned": type_name(other.returned)}
    return {"totals": totals, "restarts": int(kill_after is not None), "files_of_totals": len(job.batches_ms())}
