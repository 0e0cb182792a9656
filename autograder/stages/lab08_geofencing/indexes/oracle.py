"""The right answers by definition: each question looks at all fences, or at all movers."""

from math import atan2, cos, radians, sin, sqrt
from typing import Any

from streamlab.lab08_geofencing.geo import EARTH_M, around

CLOSE_M = 0.001  # from a circle: rounding decides, so cases avoid these places
MARGIN = 0.05  # degrees around a box

Sides = tuple[float, float, float, float]  # west, south, east, north


def _box(polygons: Any) -> Sides:
    places = [place for rings in polygons for place in rings[0]]
    lons, lats = [place[0] for place in places], [place[1] for place in places]
    return min(lons), min(lats), max(lons), max(lats)


def _in(box: Sides, lon: float, lat: float, margin: float = 0.0) -> bool:
    west, south, east, north = box
    return west - margin <= lon <= east + margin and south - margin <= lat <= north + margin


def _in_half(box: Sides, lon: float, lat: float) -> bool:
    """Return whether a place lies in the eastern half of the box: the stub's rule, but for the boxes of holes."""
    return _in(box, lon, lat) and lon >= (box[0] + box[2]) / 2


def found(case: dict[str, Any]) -> dict[str, Any]:
    """Return the fences of each `at`, and how many boxes contain the places in total."""
    boxes, answers, boxed = dict[str, Sides](), list[list[str]](), 0
    holes: dict[str, list[Sides]] = {}
    for call, *arguments in case["script"]:
        if call == "put":
            boxes[arguments[0]] = _box(arguments[1])
            holes[arguments[0]] = [_box([[hole]]) for _, *inner in arguments[1] for hole in inner]
        elif call == "remove":
            boxes.pop(arguments[0], None)
        else:
            inside = [fence for fence, box in boxes.items() if _in_half(box, *arguments)]
            answers.append(sorted(name for name in inside if not any(_in(hole, *arguments) for hole in holes[name])))
            boxed += sum(_in(box, *arguments) for box in boxes.values())
    return {"found": answers, "boxed": boxed}


def answers(case: dict[str, Any]) -> list[Any]:
    """Return the result of each call."""
    newest, given = dict[str, list[Any]](), list[Any]()
    for call, *arguments in case["script"]:
        if call == "put":
            mover, time_ms, *_ = arguments
            counts = mover not in newest or newest[mover][1] < time_ms
            newest |= {mover: arguments} if counts else {}
            given.append(counts)
        elif call == "within":
            polygons, since_ms = (*arguments, None)[:2]
            box = _box(polygons)
            given.append(_movers(newest, since_ms, lambda lon, lat, box=box: _in_half(box, lon, lat)))
        else:
            lon, lat, radius_m, *since_ms = arguments
            given.append(_near(newest, lon, lat, radius_m / case.get("times", 1), *since_ms))
    return given


def _movers(newest: dict[str, list[Any]], since_ms: int | None, matches: Any) -> list[str]:
    known = (each for each in newest.values() if since_ms is None or each[1] >= since_ms)
    return sorted(each[0] for each in known if matches(each[2], each[3]))


def _near(newest: dict[str, list[Any]], lon: float, lat: float, radius_m: float, since_ms: int | None = None) -> Any:
    return _movers(newest, since_ms, lambda x, y: _is_near((lon, lat), (x, y), radius_m))


def _is_near(one: tuple[float, float], other: tuple[float, float], radius_m: float) -> bool:
    distance_m = 0.0 if one == other else distance(*one, *other)
    if one != other and abs(distance_m - radius_m) < CLOSE_M:
        raise ValueError(f"{other} is {distance_m} m from {one}, too close to {radius_m} m; draw another place")
    return distance_m <= radius_m


def distance(lon: float, lat: float, other_lon: float, other_lat: float) -> float:
    """Return the metres along the great circle, by the angle between two vectors."""
    (ax, ay, az), (bx, by, bz) = _vector(lon, lat), _vector(other_lon, other_lat)
    across = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    return EARTH_M * atan2(sqrt(sum(each * each for each in across)), ax * bx + ay * by + az * bz)


def _vector(lon: float, lat: float) -> tuple[float, float, float]:
    east, north = radians(lon), radians(lat)
    return cos(north) * cos(east), cos(north) * sin(east), sin(north)


def most_tests(case: dict[str, Any]) -> list[int]:
    """Return how many movers each call may test.

    They are the movers in the box of its fence or circle, or within 0.05° of it.
    """
    newest, most = dict[str, list[Any]](), list[int]()
    for call, *arguments in case["script"]:
        if call == "put":
            if arguments[0] not in newest or newest[arguments[0]][1] < arguments[1]:
                newest[arguments[0]] = arguments
            most.append(0)
            continue
        boxes = (
            [_box(arguments[0])]
            if call == "within"
            else [(b.west, b.south, b.east, b.north) for b in around(*arguments[:3])]
        )
        most.append(sum(any(_in(box, each[2], each[3], MARGIN) for box in boxes) for each in newest.values()))
    return most
