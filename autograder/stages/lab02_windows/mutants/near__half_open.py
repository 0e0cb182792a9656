"""Takes the rectangle for half-open: its east and north edges are outside."""

KILLED_BY = ["a_point_is_near_in_the_rectangle_and_on_its_edge"]


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
        return place.west <= point[0] < place.east and place.south <= point[1] < place.north
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    corners = rings[0] if isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) else []
    if not corners or not all(map(_corner, corners)):
        return False
    west, east = min(c[0] for c in corners), max(c[0] for c in corners)
    south, north = min(c[1] for c in corners), max(c[1] for c in corners)
    return west <= place.east and place.west <= east and south <= place.north and place.south <= north
