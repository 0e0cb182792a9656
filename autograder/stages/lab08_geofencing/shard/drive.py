"""Drives `batch_of_shard` with batches one after another; what it keeps goes into the next call, pickled between them.

`read_record`, `in_order` and `Watch` are the stubs of `push`, which follow another rule. `in_order` also returns late
positions here.
"""

import pickle
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab08_geofencing.push.drive_stubs import LongitudesWatch, Row, no_late_rows, read_line
from streamlab.lab08_geofencing.geo import Position


@drive("batch_of_shard")
def batch_of_shard(stage: Any, case: Any) -> Rows:
    """Return the events of each batch, the rows that wait after it, the time that it has reached, and changed lists."""
    kept, answers = None, []
    with stage.replaced(read_record=read_line, in_order=with_late_rows, Watch=LongitudesWatch):
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


def with_late_rows(
    waiting: list[Row], arrived: list[Row], done_ms: int, watermark_ms: int
) -> tuple[list[Row], list[Row], list[Position]]:
    """Return late positions as well, at the time of the watermark: a Watch reports each one that it gets."""
    ready, still_waiting, _ = no_late_rows(waiting, arrived, done_ms, watermark_ms)
    late = [each for each in arrived if isinstance(each, Position) and each.time_ms <= done_ms]
    return ready, still_waiting, [each._replace(time_ms=watermark_ms) for each in late]


def _has_the_form(given: Any) -> bool:
    """Return whether it is ((…, …, …), …)."""
    is_pair = isinstance(given, tuple | list) and len(given) == 2
    return is_pair and isinstance(given[0], tuple | list) and len(given[0]) == 3
