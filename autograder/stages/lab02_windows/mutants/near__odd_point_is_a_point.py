"""Takes a point that is of a wrong form for one that is outside."""

KILLED_BY = ["what_is_missing_or_odd_counts_as_not_there"]


def _get(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _corner(value):
    return (
        value if isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) for v in value) else None
    )


def near(tweet, place):
    point = _corner(_get(tweet, "coordinates", "coordinates"))
    if point is None and tweet.get("coordinates") is not None:
        return False
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north
