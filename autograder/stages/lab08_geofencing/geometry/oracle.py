"""The right answers: inside by the winding number, in fractions; records by their rules, with all pairs of edges."""

import json
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, cast

Place = tuple[Fraction, Fraction]


def inside(case: dict[str, Any]) -> list[bool]:
    """Return whether each place of a case lies in the fence or on its boundary."""
    polygons = [[[_exact(place) for place in ring] for ring in polygon] for polygon in case["polygons"]]
    return [any(_in_polygon(polygon, _exact(place)) for polygon in polygons) for place in case["places"]]


def _exact(place: Any) -> Place:
    return Fraction(place[0]), Fraction(place[1])


def _in_polygon(rings: list[list[Place]], place: Place) -> bool:
    if any(_on(ring, place) for ring in rings):
        return True
    shell, *holes = (_winding(ring, place) for ring in rings)
    return shell != 0 and not any(holes)


def _cross(a: Place, b: Place, p: Place) -> Fraction:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _on_edge(a: Place, b: Place, p: Place) -> bool:
    within = min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    return within and _cross(a, b, p) == 0


def _edges(ring: list[Place]) -> list[tuple[Place, Place]]:
    return list(pairwise(ring))


def _on(ring: list[Place], place: Place) -> bool:
    return any(_on_edge(a, b, place) for a, b in _edges(ring))


def _winding(ring: list[Place], place: Place) -> int:
    """Return how often the ring runs around a place that is not on it."""
    number = 0
    for a, b in _edges(ring):
        if a[1] <= place[1] < b[1] and _cross(a, b, place) > 0:
            number += 1
        elif b[1] <= place[1] < a[1] and _cross(a, b, place) < 0:
            number -= 1
    return number


def record(case: dict[str, Any]) -> list[Any] | None:
    """Return [kind, values] of a valid record, or None for one that must be rejected."""
    topic, key, value, time_ms, offset = (case[name] for name in ("topic", "key", "value", "time_ms", "offset"))
    if topic not in ("positions", "fences") or not key or time_ms < 0:
        return None
    if topic == "fences" and value is None:
        return ["Change", [key, time_ms, None, offset]]
    try:
        fields = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    return _position(key, fields, time_ms, offset) if topic == "positions" else _change(key, fields, time_ms, offset)


def _position(key: str, fields: dict[str, Any], time_ms: int, offset: int) -> list[Any] | None:
    place = [fields.get("lon"), fields.get("lat")]
    if fields.get("mover") != key or not _is_place(place):
        return None
    return ["Position", [key, time_ms, -180.0 if place[0] == 180 else place[0], place[1], offset]]


def _is_place(place: Any) -> bool:
    if not isinstance(place, list) or len(place) not in (2, 3):
        return False
    numbers = [each for each in place[:2] if isinstance(each, int | float) and not isinstance(each, bool)]
    return len(numbers) == 2 and abs(numbers[0]) <= 180 and abs(numbers[1]) <= 90


def _change(key: str, fields: dict[str, Any], time_ms: int, offset: int) -> list[Any] | None:
    kind, parts = fields.get("type"), cast(Any, fields.get("coordinates"))
    if kind == "Polygon":
        parts = [parts]
    if kind not in ("Polygon", "MultiPolygon") or not _is_list(parts) or not all(map(_is_list, parts)):
        return None
    if not all(_is_ring(ring) for part in parts for ring in part):
        return None
    polygons = [[[place[:2] for place in ring] for ring in part] for part in parts]
    return ["Change", [key, time_ms, polygons, offset]] if _is_valid(polygons) else None


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0


def _is_ring(ring: Any) -> bool:
    if not isinstance(ring, list) or len(ring) < 4 or not all(map(_is_place, ring)) or ring[0][:2] != ring[-1][:2]:
        return False
    return all(abs(Fraction(b[0]) - Fraction(a[0])) <= 180 for a, b in pairwise(ring))


def _is_valid(polygons: Any) -> bool:
    """Return whether rings meet neither themselves nor each other, and holes and parts lie where they should.

    Holes lie in their shell, and parts outside each other. Raises ValueError where rings touch: that is valid in some
    cases and invalid in others.
    """
    parts = [[[_exact(place) for place in ring] for ring in polygon] for polygon in polygons]
    rings = [ring for part in parts for ring in part]
    if any(_meets_itself(ring) for ring in rings) or any(_meet(a, b) for a, b in combinations(rings, 2)):
        return False
    holes = all(_winding(shell, hole[0]) for shell, *inner in parts for hole in inner)
    nested = any(_winding(b, a[0]) for _, *inner in parts for a in inner for b in inner if a is not b)
    apart = not any(_in_polygon(b, a[0][0]) for a in parts for b in parts if a is not b)
    return holes and not nested and apart


def _meets_itself(ring: list[Place]) -> bool:
    edges = _edges(ring)
    for (at, (a, b)), (other, (c, d)) in combinations(enumerate(edges), 2):
        is_next = other - at == 1 or (at == 0 and other == len(edges) - 1)
        if is_next:
            shared, ends = (b, (a, d)) if other - at == 1 else (a, (b, c))
            if _on_edge(shared, ends[0], ends[1]) or _on_edge(shared, ends[1], ends[0]):
                return True
        elif _cross_or_touch(a, b, c, d):
            return True
    return False


def _meet(one: list[Place], other: list[Place]) -> bool:
    crossing = [(e, f) for e in _edges(one) for f in _edges(other) if _cross_or_touch(*e, *f)]
    if crossing and not any(_properly(*e, *f) for e, f in crossing):
        raise ValueError("rings that touch are ambiguous; draw others")
    return bool(crossing)


def _properly(a: Place, b: Place, c: Place, d: Place) -> bool:
    return _cross(a, b, c) * _cross(a, b, d) < 0 and _cross(c, d, a) * _cross(c, d, b) < 0


def _cross_or_touch(a: Place, b: Place, c: Place, d: Place) -> bool:
    touching = _on_edge(a, b, c) or _on_edge(a, b, d) or _on_edge(c, d, a) or _on_edge(c, d, b)
    return touching or _properly(a, b, c, d)
