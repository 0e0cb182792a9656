"""Drives `batch_of_shard` with batches one after another; what it keeps goes into the next call, pickled between them.

`read_record`, `in_order` and `Watch` are the stubs of `push`, which follow another rule.
"""

import pickle
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab08_geofencing.push.drive_stubs import LongitudesWatch, positions_first, read_line


@drive("batch_of_shard")
def batch_of_shard(stage: Any, case: Any) -> Rows:
    """Return the events of each batch, the rows that wait after it, the time that it has reached, and changed lists."""
    kept, answers = None, []
    with stage.replaced(read_record=read_line, in_order=positions_first, Watch=LongitudesWatch):
        for batch in case["batches"]:
            records = [tuple(each) for each in batch["records"]]
            lists = {"records": records, "waiting": kept[0] if kept else []}
            before = plain(lists)
            given = stage.batch_of_shard(kept, records, batch["watermark_ms"], case["reports_fences"])
            if not _has_the_form(given):
                return {"returned": type_name(given)}
            changed = [name for name, now in plain(lists).items() if now != before[name]]
            kept, events = pickle.loads(pickle.dumps(given[0])), given[1]
            waiting, done_ms = plain(kept[0]), plain(kept[1])
            answers.append({"events": plain(events), "waiting": waiting, "done_ms": done_ms, "changed": changed})
    return {"batches": answers}


def _has_the_form(given: Any) -> bool:
    """Return whether it is ((…, …, …), …)."""
    is_pair = isinstance(given, tuple | list) and len(given) == 2
    return is_pair and isinstance(given[0], tuple | list) and len(given[0]) == 3
