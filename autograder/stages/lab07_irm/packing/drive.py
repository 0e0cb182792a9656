"""Drives `FirstFit` with scripts of calls, and `least_workers` and `first_fit_vector` with lists."""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.stages.lab07_irm.packing.drive_sizes import Size


@drive("FirstFit")
def first_fit(stage: Any, case: Any) -> Rows:
    """Return result or error, `free()` and `used` for each call; or all workers and the number of comparisons."""
    if case.get("counts"):
        return _counted(stage, case)
    return _played(stage.FirstFit(case["capacity"]), case["script"])


def _played(workers: Any, script: list[Any]) -> Rows:
    steps = []
    for call, *arguments in script:
        try:
            answer, text = plain(getattr(workers, call)(*arguments)), ""
        except (ValueError, KeyError) as problem:
            answer, text = type(problem).__name__, str(problem)[:300]
        steps.append({"answer": answer, "text": text, "free": plain(workers.free()), "used": plain(workers.used)})
    return {"steps": steps}


def _counted(stage: Any, case: Any) -> Rows:
    Size.compared = 0
    workers = stage.FirstFit(Size(case["capacity"]))
    answers = [
        plain(getattr(workers, call)(engine, *(Size(size) for size in sizes)))
        for call, engine, *sizes in case["script"]
    ]
    return {"workers": answers, "compared": Size.compared}


@drive("FirstFit.throughput")
def first_fit_throughput(stage: Any, case: Any) -> Rows:
    """Play one turn: return the worker of each line of a file, "engine size" to place and "engine" to remove."""
    workers, found = stage.FirstFit(1000), []
    for line in Path(case["path"]).read_text("ascii").splitlines():
        engine, _, size = line.partition(" ")
        found.append(workers.place(engine, int(size)) if size else workers.remove(engine))
    return {"workers": plain(found)}


@drive("least_workers")
def least_workers(stage: Any, case: Any) -> Rows:
    """Return the bound, or the error."""
    limits = [case["capacity"]] if "capacity" in case else []
    return or_rejected(lambda: {"least": plain(stage.least_workers(list(case["sizes"]), *limits))})


@drive("first_fit_vector")
def first_fit_vector(stage: Any, case: Any) -> Rows:
    """Return the workers, or the error. The capacity is a list, the demands are tuples."""
    demands = [tuple(demand) for demand in case["demands"]]
    return or_rejected(lambda: {"workers": plain(stage.first_fit_vector(demands, list(case["capacity"])))})
