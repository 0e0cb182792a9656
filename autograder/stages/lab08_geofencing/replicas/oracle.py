"""The right answers by definition: a replica's state is the log up to its offsets; `ask` walks over all attempts."""

from typing import Any

from autograder.stages.lab08_geofencing.replicas.drive_log import SQUARE, history, updates

# Replica


def steps(case: dict[str, Any]) -> list[Any]:
    """Return the result of each step: None, the number of positions read, "NotCaughtUp", or movers and offsets."""
    log = {partition: list(records) for partition, records in case["log"].items()}
    goal = {partition: len(records) for partition, records in log.items()}
    applied, offsets, found = list[Any](), dict.fromkeys(log, 0), list[Any]()
    for what, *arguments in case["script"]:
        if what == "grow":
            for partition, records in arguments[0].items():
                log[partition] = log[partition] + records
            found.append(None)
        elif what == "poll":
            before = len(applied)
            for partition in log:
                while offsets[partition] < len(log[partition]) and len(applied) < before + arguments[0]:
                    applied += [log[partition][offsets[partition]]]
                    offsets[partition] += 1
                    if applied[-1] is None:
                        applied.pop()
            found.append(len(applied) - before)
        else:
            found.append(_answer(applied, offsets, goal, arguments))
    return found


def _answer(applied: list[Any], offsets: dict[str, int], goal: dict[str, int], question: list[Any]) -> Any:
    polygons, since_ms, at_least = question[:3]
    for demanded in (goal, at_least or {}):
        if any(offsets.get(partition, 0) < end for partition, end in demanded.items()):
            return "NotCaughtUp"
    last = {mover: (time_ms, lon, lat) for mover, time_ms, lon, lat in applied}
    inside = [
        mover
        for mover, (time_ms, lon, lat) in last.items()
        if _is_in_the_east(polygons, lon, lat) and (since_ms is None or time_ms > since_ms)
    ]
    is_kept = len(question) == 3
    return {"movers": sorted(inside), "offsets": dict(offsets)} | ({"at the end": dict(offsets)} if is_kept else {})


def _is_in_the_east(polygons: Any, lon: float, lat: float) -> bool:
    """Return whether a place is inside by the rule of the index's test double."""
    places = [place for polygon in polygons for place in polygon[0]]
    west, east = min(place[0] for place in places), max(place[0] for place in places)
    south, north = min(place[1] for place in places), max(place[1] for place in places)
    return bool((west + east) / 2 < lon <= east and south <= lat <= north)


def states(case: dict[str, Any]) -> list[list[str]]:
    """Return the movers inside before the first update and after each of them, in the log of the three processes."""
    lons = {record[1]: record[3] for record in history(case)}
    found = [_inside(lons)]
    for _, mover, _, lon, _ in updates(case):
        lons[mover] = lon
        found.append(_inside(lons))
    return found


def _inside(lons: dict[str, float]) -> list[str]:
    return sorted(mover for mover, lon in lons.items() if _is_in_the_east(SQUARE, lon, 2.0))


# ask


def asked(case: dict[str, Any]) -> dict[str, Any]:
    """Return the answer or the error, all calls and pauses in order, and the reasons that Unavailable must give."""
    scripts, options = case["replicas"], case["options"]
    rounds, first, count = options.get("rounds", 3), options.get("first", 0), len(scripts)
    if not scripts or rounds < 1:
        return {"raised": "ValueError", "calls": []}
    calls, reasons = list[Any](), dict[int, str]()
    for attempt in range(rounds * count):
        if attempt and attempt % count == 0:
            calls.append("pause")
        number = (first + attempt) % count
        kind, *rest = scripts[number][min(attempt // count, len(scripts[number]) - 1)]
        calls.append([number, *case["question"]])
        if kind == "answer":
            return {"answer": rest, "calls": calls}
        if kind in ("ValueError", "RuntimeError", "KeyError"):
            return {"raised": kind, "calls": calls}
        reasons[number] = rest[0]
    return {"raised": "Unavailable", "calls": calls, "reasons": [reasons[number] for number in sorted(reasons)]}
