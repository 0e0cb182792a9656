"""The day: all tasks of the lab, with the earlier tasks that they call, on real services, with real faults.

The judge knows from the seed what must be in the log; what comes from here is only what readers of the log see.
"""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from zlib import crc32

from autograder.inside.patience import wait_until
from autograder.inside.rows import Rows, plain
from streamlab.lab09_system import LogError
from streamlab.lab09_system.city import City, Part
from streamlab.lab09_system.live.day import DayPart, run_day
from streamlab.lab09_system.live.settings import notes_of
from streamlab.lab09_system.live.system import LOOK_S, LiveSystem, NotReached
from streamlab.lab09_system.parts import LIVE_CALLED
from streamlab.notebooks.causes import cause_of

OWN = ("alerts", "start_job", "AlertWriter", "GuardedStore", "repair", "Supervisor")
LEASE_MS = 180_000  # longer than Spark needs to start on a busy machine


def lived(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the committed rows of the day, and how far it came."""
    parts = [DayPart(name, Part(*sources)) for name, sources in case["parts"]]
    drained, problem = list[str](), None
    with ExitStack() as open_:
        open_.enter_context(stage.replaced(**{name: getattr(earlier(lab), name) for name, lab in LIVE_CALLED.items()}))
        settings = {"lateness_s": case["lateness_s"], "lease_ms": LEASE_MS}
        tasks = {name: getattr(stage, name) for name in OWN} | {"LruCache": earlier("lab06_enrichment").LruCache}
        system = open_.enter_context(LiveSystem(tasks, City(case["day"]), wait=_wait, **settings))
        try:
            run_day(system, parts, lambda part: drained.append(part.name))
        except (NotReached, LogError) as error:
            problem = str(error)
        except Exception as error:  # the learner's `repair` runs in this process
            cause = cause_of(error)
            problem = f"{cause.kind}: {cause.message}"
        return {"drained": drained, "problem": problem, **_seen(system)}


def _wait(reached: Callable[[], object], patience_s: float) -> bool:
    return wait_until(reached, patience_s, lambda: time.sleep(LOOK_S))


def _seen(system: LiveSystem) -> Rows:
    rows = system.committed.rows()
    dead = [
        [
            reason,
            record.topic,
            record.partition,
            record.offset,
            crc32((record.key or b"") + b"|" + (record.value or b"")),
        ]
        for reason, record in system.committed.dead()
    ]
    undecided = {(account, subject) for kind, account, subject, *_ in rows if kind == "UNDECIDED"}
    caches = [json.loads(path.read_text("utf-8")) for path in (system.folder / "workers").glob("*.json")]
    dropped = sum(each["dropped"] for each in notes_of(system.folder, "progress"))
    return {
        "alerts": plain([[kind, account, subject, cents] for kind, account, subject, _, cents in rows]),
        "dead": plain(dead),
        "undecided": len(undecided),
        "open": len(system.committed.undecided()),
        "dropped": dropped,
        "cache_looks": sum(each["hits"] + each["misses"] for each in caches),
    }
