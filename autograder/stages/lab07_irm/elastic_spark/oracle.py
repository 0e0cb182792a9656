"""The right answers: the cells that were drawn, and decisions that look at the whole script before them."""

from typing import Any

from streamlab.lab07_irm.cell_pictures import cell_picture, measure

Call = list[Any]


def counts(case: dict[str, Any]) -> list[list[Any]]:
    """Return (image, cells, mean area, error) of each file."""
    return [[name, *_measured(picture, case["bytes"].get(name))] for name, *picture in case["files"]]


def _measured(picture: list[Any], length: int | None) -> list[Any]:
    if isinstance(picture[0], str) or length is not None:
        return [None, None, _error(picture, length)]
    found, _ = measure(cell_picture(*picture))
    cells = picture[1]
    return [cells, sum(cell.area_px for cell in found) / cells if cells else None, None]


def _error(picture: list[Any], length: int | None) -> str:
    content = picture[0].encode() if isinstance(picture[0], str) else cell_picture(*picture)[:length]
    try:
        measure(content)
    except ValueError as problem:
        return str(problem)
    raise AssertionError("expected a case whose file is not an image")


def decisions(case: dict[str, Any]) -> list[Any]:
    """Return (total, retire) for each call. The predictor is the drive's stub."""
    decided: list[Any] = []
    for at, (now_s, waiting, executors) in enumerate(case["calls"]):
        idle = [name for name, tasks in executors if tasks == 0 and waiting == 0]
        retire = [name for name in idle if _idle_s(name, case["calls"][: at + 1]) >= case["idle_s"]]
        previous = decided[-1][0] if decided else 0
        base = max(previous, len(executors)) - len(retire)
        coming = base - (len(executors) - len(retire))
        wanted = 0 if now_s % 3 == 2 else max(0, min(case["rules"]["many"], (waiting - coming + 1) // 2))
        decided.append([min(case["most"], base + wanted), retire])
    return decided


def _idle_s(name: str, calls: list[Call]) -> float:
    """Return how long an executor has had no task at the last of these calls."""
    seen = [(now_s, dict(executors)[name]) for now_s, _, executors in calls if name in dict(executors)]
    last_s = [now_s for now_s, tasks in seen if tasks] or [seen[0][0]]
    return float(calls[-1][0] - last_s[-1])
