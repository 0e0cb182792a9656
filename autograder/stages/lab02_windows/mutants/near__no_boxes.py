"""Knows points only."""

KILLED_BY = ["without_a_point_the_box_decides", "what_is_missing_or_odd_counts_as_not_there"]


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
    if point is not None:
        return place.west <= point[0] <= place.east and place.south <= point[1] <= place.north
    return False
