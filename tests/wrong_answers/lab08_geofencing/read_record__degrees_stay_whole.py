# wrong: whole degrees stay int; breaks "Degrees become floats"
# caught by: a_position_keeps_its_key_time_place_and_offset, a_fence_is_read_ring_by_ring_and_null_deletes_it
def _number(value, limit):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"not a number: {value!r}")
    if not -limit <= value <= limit:
        raise ValueError(f"beyond {limit}: {value}")
    return value

def _list(value, least):
    if not isinstance(value, list) or len(value) < least:
        raise ValueError(f"expected a list of at least {least}")
    return value

def _place(value):
    if len(_list(value, 2)) > 3:
        raise ValueError(f"a place has two or three numbers: {value}")
    return _number(value[0], 180), _number(value[1], 90)

def _ring(value):
    ring = tuple(_place(each) for each in _list(value, 4))
    if ring[0] != ring[-1]:
        raise ValueError("a ring is open")
    if any(abs(b[0] - a[0]) > 180 for a, b in pairwise(ring)):
        raise ValueError("an edge spans more than 180 degrees")
    return ring

def _polygon(value):
    return tuple(_ring(each) for each in _list(value, 1))

def read_record(topic, key, value, time_ms, offset):
    if topic not in ("positions", "fences"):
        raise ValueError(f"another topic: {topic!r}")
    if not key or time_ms < 0:
        raise ValueError(f"key {key!r}, time {time_ms}")
    if topic == "fences" and value is None:
        return Change(key, time_ms, None, offset)
    if value is None:
        raise ValueError("no value")
    try:
        content = json.loads(value)
    except RecursionError as problem:
        raise ValueError("nested too deep") from problem
    if not isinstance(content, dict):
        raise ValueError("not an object")
    if topic == "positions":
        if content.get("mover") != key:
            raise ValueError("another mover")
        lon, lat = _number(content.get("lon"), 180), _number(content.get("lat"), 90)
        return Position(key, time_ms, -180.0 if lon == 180 else lon, lat, offset)
    kind, coordinates = content.get("type"), content.get("coordinates")
    if kind == "Polygon":
        polygons = (_polygon(coordinates),)
    elif kind == "MultiPolygon":
        polygons = tuple(_polygon(each) for each in _list(coordinates, 1))
    else:
        raise ValueError(f"another type: {kind!r}")
    try:
        shape = shapely.MultiPolygon([(shell, holes) for shell, *holes in polygons])
        reason = shapely.is_valid_reason(shape)
    except shapely.errors.ShapelyError as problem:
        raise ValueError(str(problem)) from problem
    if reason != "Valid Geometry":
        raise ValueError(reason)
    return Change(key, time_ms, polygons, offset)
