"""Drives `Manager` with observations for each tick and stubs of its parts, and with a whole cluster in virtual time.

In a script, engines that the plans started are identified by their order: `end` [0] ends the oldest running one. A text
names an engine. Loads follow from where the engines run, and from the CPU that each engine of an image wants.
"""

from copy import deepcopy
from dataclasses import fields
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab07_irm.manager.drive_stubs import Backlog, Halves, LargestShare, WorstFit, no_spare
from streamlab.lab07_irm.clock import Job, Setup, simulate
from streamlab.lab07_irm.datatypes import Plan, Rules, Seen


@drive("Manager")
def manager(stage: Any, case: Any) -> Rows:
    """Return the plan of each tick, or the behaviour of a cluster that follows the plans."""
    asked = list[list[Any]]()

    class Noted(Halves):
        def wanted(self, image: str, now_s: float, length: int, coming: int = 0) -> int:
            asked.append([image, length])
            return super().wanted(image, now_s, length, coming)

    with stage.replaced(FirstFit=WorstFit, Profiler=LargestShare, Predictor=Noted, scale=no_spare):
        manager = stage.Manager(Rules(**case["rules"]))
        return _simulated(manager, case) if "bursts" in case else _played(manager, case["ticks"], asked)


def _played(manager: Any, ticks: list[Any], asked: list[list[Any]]) -> Rows:
    """Return the plan of each tick, what it asked the predictor, and which fields of `seen` it changed."""
    questions, changed = list[Any](), list[Any]()
    running: dict[str, tuple[str, int]] = {}  # engine -> image, worker
    plans: list[Any] = []
    for now_s, tick in enumerate(ticks):
        names = list(running)
        ended = [each if isinstance(each, str) else names[each] for each in tick["end"] if _is_known(each, names)]
        for engine in ended:
            running.pop(engine, None)
        loads = {image: _loads(image, cpu, running) for image, cpu in tick["cpu"].items()}
        seen = Seen(now_s, dict(tick["waiting"]), loads, ended, tick["on"], tick["ready"], tick["registered"])
        asked.clear()
        before = deepcopy(seen)
        plan = manager.tick(seen)
        questions.append(plain(list(asked)))
        changed.append([each.name for each in fields(Seen) if getattr(before, each.name) != getattr(seen, each.name)])
        if not isinstance(plan, Plan):
            return {"returned": type_name(plan)}
        plans.append(_as_row(plan))
        running.update((start.engine, (start.image, start.worker)) for start in plan.starts)
    return {"plans": plans, "asked": questions, "changed": changed}


def _is_known(engine: str | int, names: list[str]) -> bool:
    return isinstance(engine, str) or engine < len(names)


def _loads(image: str, cpu: int, running: dict[str, tuple[str, int]]) -> list[tuple[int, int]]:
    workers = [worker for of, worker in running.values() if of == image]
    return [(workers.count(worker), cpu * workers.count(worker)) for worker in sorted(set(workers))]


def _as_row(plan: Plan) -> Any:
    starts = [list(each) if isinstance(each, tuple) else each for each in plan.starts]
    return plain([starts, plan.wanted, plan.on, plan.scheduled, plan.dropped])


def _simulated(manager: Any, case: Any) -> Rows:
    """Return (engines, workers on, CPU per worker) for each second, and the number of finished messages."""
    times = [each["at_s"] + at // each["per_s"] for each in case["bursts"] for at in range(each["messages"])]
    jobs = [Job(at_s, "c", case["cpu"], case["busy_s"]) for at_s in times]
    run = simulate(jobs, Backlog(), manager, Setup(workers=case["workers"]), until_s=case["until_s"])
    rows = [[each.engines, each.on, each.scheduled] for each in run.seconds]
    return {"finished": len(run.finished), "seconds": plain(rows)}
