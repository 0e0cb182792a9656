"""Drives `Manager` with observations for each tick and stubs of its parts, and with a whole cluster in virtual time.

In a script, engines that the plans started are identified by their order: `end` [0] ends the oldest running one. A text
names an engine. Loads follow from where the engines run, and from the CPU that each engine of an image wants.
"""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab07_irm.manager.drive_stubs import Backlog, Halves, LargestShare, WorstFit, no_spare
from streamlab.lab07_irm.clock import Job, Setup, simulate
from streamlab.lab07_irm.datatypes import Plan, Rules, Seen


@drive("Manager")
def manager(stage: Any, case: Any) -> Rows:
    """Return the plan of each tick, or the behaviour of a cluster that follows the plans."""
    with stage.replaced(FirstFit=WorstFit, Profiler=LargestShare, Predictor=Halves, scale=no_spare):
        manager = stage.Manager(Rules(**case["rules"]))
        return _simulated(manager, case) if "bursts" in case else _played(manager, case["ticks"])


def _played(manager: Any, ticks: list[Any]) -> Rows:
    running: dict[str, tuple[str, int]] = {}  # engine -> image, worker
    plans: list[Any] = []
    for now_s, tick in enumerate(ticks):
        names = list(running)
        ended = [each if isinstance(each, str) else names[each] for each in tick["end"] if _is_known(each, names)]
        for engine in ended:
            running.pop(engine, None)
        loads = {image: _loads(image, cpu, running) for image, cpu in tick["cpu"].items()}
        seen = Seen(now_s, dict(tick["waiting"]), loads, ended, tick["on"], tick["ready"], tick["registered"])
        plan = manager.tick(seen)
        if not isinstance(plan, Plan):
            return {"returned": type_name(plan)}
        plans.append(_as_row(plan))
        running.update((start.engine, (start.image, start.worker)) for start in plan.starts)
    return {"plans": plans}


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
