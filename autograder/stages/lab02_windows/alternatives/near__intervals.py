"""Two intervals that meet, once for longitudes and once for latitudes; a point is a box of one corner."""


def _degrees(value):
    return type(value) in (int, float)


def _corner(value):
    return isinstance(value, list) and len(value) == 2 and _degrees(value[0]) and _degrees(value[1])


def _get(value, *names):
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def near(tweet, place):
    point = _get(tweet, "coordinates", "coordinates")
    rings = _get(tweet, "place", "bounding_box", "coordinates")
    if _corner(point):
        corners = [point]
    elif isinstance(rings, list) and len(rings) == 1 and isinstance(rings[0], list) and all(map(_corner, rings[0])):
        corners = rings[0]
    else:
        corners = []
    if not corners:
        return False
    longitudes, latitudes = zip(*corners, strict=True)
    meets_longitudes = min(longitudes) <= place.east and place.west <= max(longitudes)
    return meets_longitudes and min(latitudes) <= place.north and place.south <= max(latitudes)
