"""Wrong versions of the geometry tasks, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

FIRST = "longitude_comes_first"
BOX = "a_bounding_box_is_not_the_fence"
HOLE = "a_hole_is_outside_and_its_edge_is_inside"
BOUNDARY = "the_boundary_is_inside_to_the_last_bit"
PARTS = "every_part_of_a_multipolygon_counts"
POSITION = "a_position_keeps_its_key_time_place_and_offset"
FENCE = "a_fence_is_read_ring_by_ring_and_null_deletes_it"
NO_POSITION = "an_invalid_position_is_rejected"
NO_FENCE = "an_invalid_geometry_is_rejected"
LONG = "an_edge_across_the_antimeridian_is_rejected"

reference("contains")

# As in FenceX: it stores (lat, lon) and asks with (lon, lat).
mutant(
    "latitude_first",
    [FIRST, BOX, HOLE, BOUNDARY, PARTS],
    ("    return any(side(shell)", "    lon, lat = lat, lon\n    return any(side(shell)"),
)
# As in FenceX: the answer of the index.
mutant(
    "bounding_box",
    [BOX, HOLE, BOUNDARY, PARTS],
    (
        "    return any(side(shell) >= 0 and all(side(hole) <= 0 for hole in holes) for shell, *holes in polygons)",
        "    boxes = map(bounds, ((polygon,) for polygon in polygons))\n"
        "    return any(b.west <= lon <= b.east and b.south <= lat <= b.north for b in boxes)",
    ),
)
# As in textbooks: rounding decides next to a slanted edge.
mutant(
    "division",
    BOUNDARY,
    (
        "orientation = turn(a, b, (lon, lat))\n",
        "if a[1] == b[1]:\n"
        "                    orientation = 0\n"
        "                else:\n"
        "                    at = a[0] + (lat - a[1]) * (b[0] - a[0]) / (b[1] - a[1])\n"
        "                    orientation = ((at > lon) - (at < lon)) * (1 if b[1] > a[1] else -1)\n",
    ),
)
mutant("westward_edges_without_ends", BOUNDARY, ("or b[0] <= lon <= a[0]", "or b[0] < lon < a[0]"))

reference("read_record")

mutant("180_is_kept", POSITION, ("-180.0 if lon == 180 else lon", "lon"))
# As in FenceX: the second type is unknown.
mutant("polygon_only", FENCE, ('in ("Polygon", "MultiPolygon"), "a', '== "Polygon", "a'))
mutant(
    "nan_passes",
    NO_POSITION,
    (
        "require(-180 <= lon <= 180 and -90 <= lat <= 90,",
        "require(not (lon < -180 or lon > 180 or lat < -90 or lat > 90),",
    ),
)
mutant(
    "key_error",
    NO_POSITION,
    ('record.get("mover")', 'record["mover"]'),
    ('[record.get("lon"), record.get("lat")]', '[record["lon"], record["lat"]]'),
)
mutant(
    "repaired",
    NO_FENCE,
    (
        '        require(closed[0] == closed[-1], "rings that end where they begin")\n',
        "        closed += closed[:1] if closed[0] != closed[-1] else ()\n",
    ),
    (
        "    reason = shapely.is_valid_reason(shapely.MultiPolygon([(shell, holes) for shell, *holes in polygons]))\n"
        '    require(reason == "Valid Geometry", f"a valid polygon, got {reason}")\n',
        "    shape = shapely.MultiPolygon([(shell, holes) for shell, *holes in polygons])\n"
        "    if not shape.is_valid:\n"
        "        shape = shapely.make_valid(shape).buffer(0)\n"
        '        shapes = shape.geoms if shape.geom_type == "MultiPolygon" else [shape]\n'
        "        polygons = tuple((tuple(each.exterior.coords), *(tuple(h.coords) for h in each.interiors)) for each in shapes)\n",
    ),
)
mutant("altitude_decides", FENCE, ("require(closed[0] == closed[-1],", "require(places[0] == places[-1],"))
mutant("a_mover_may_be_a_number", NO_POSITION, ('record.get("mover") == key', 'str(record.get("mover")) == key'))
mutant("places_may_be_objects", NO_FENCE, ("isinstance(numbers, list) and", 'hasattr(numbers, "__len__") and'))
mutant("parts_may_be_a_number", NO_FENCE, ("isinstance(parts, list) and parts", "parts"))
mutant(
    "any_kind_of_polygon",
    NO_FENCE,
    ('record.get("type") in ("Polygon", "MultiPolygon")', '"Polygon" in str(record.get("type"))'),
)
mutant("four_numbers", NO_FENCE, ("and len(numbers) in (2, 3),", "and len(numbers) >= 2,"))
mutant("long_edges", LONG, ("abs(b[0] - a[0]) <= 180 for", "abs(b[0] - a[0]) <= 360 for"))

# Mutants that no check can catch

survivor(
    "contains",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) > 0:",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) < 0:",
    reason="equivalent: a ray to the west crosses as many edges, up to an even number",
)
survivor(
    "contains",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) > 0:",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) <= 0:",
    reason="equivalent: a ray to the west crosses as many edges, up to an even number",
)
survivor(
    "contains",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) > 0:",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) >= 0:",
    reason="equivalent: the place is not on the edge, so nothing is 0",
)
survivor(
    "contains",
    "if (a[1] > lat) != (b[1] > lat) and orientation * (b[1] - a[1]) > 0:",
    "if (a[1] > lat) != (b[1] > lat) and orientation / (b[1] - a[1]) > 0:",
    reason="equivalent: only the sign is read",
)
survivor(
    "contains",
    "if a[1] <= lat <= b[1] or b[1] <= lat <= a[1]:",
    "if a[1] <= lat < b[1] or b[1] <= lat <= a[1]:",
    reason="equivalent: a corner belongs to two edges, and the other one finds it",
)
survivor(
    "contains",
    "if a[1] <= lat <= b[1] or b[1] <= lat <= a[1]:",
    "if a[1] <= lat <= b[1] or b[1] <= lat < a[1]:",
    reason="equivalent: a corner belongs to two edges, and the other one finds it",
)
survivor(
    "contains",
    "if orientation == 0 and (a[0] <= lon <= b[0] or b[0] <= lon <= a[0]):",
    "if orientation == 0 and (a[0] < lon <= b[0] or b[0] <= lon <= a[0]):",
    reason="equivalent: a corner belongs to two edges, and the other one finds it",
)
survivor(
    "contains",
    "if orientation == 0 and (a[0] <= lon <= b[0] or b[0] <= lon <= a[0]):",
    "if orientation == 0 and (a[0] <= lon < b[0] or b[0] <= lon <= a[0]):",
    reason="equivalent: a corner belongs to two edges, and the other one finds it",
)
survivor(
    "contains",
    "if orientation == 0 and (a[0] <= lon <= b[0] or b[0] <= lon <= a[0]):",
    "if orientation == 0 and (a[0] <= lon <= b[0] or b[0] < lon <= a[0]):",
    reason="equivalent: a corner belongs to two edges, and the other one finds it",
)
survivor(
    "contains",
    "if orientation == 0 and (a[0] <= lon <= b[0] or b[0] <= lon <= a[0]):",
    "if orientation == 0 and (a[0] <= lon <= b[0] or b[0] <= lon < a[0]):",
    reason="equivalent: a corner belongs to two edges, and the other one finds it",
)
survivor(
    "contains",
    "inside = -1 # 1 inside, 0 on the boundary, -1 outside",
    "inside = - 2 # 1 inside, 0 on the boundary, -1 outside",
    reason="equivalent: only the sign is read",
)
survivor(
    "contains",
    "inside = -1 # 1 inside, 0 on the boundary, -1 outside",
    "inside = ~1 # 1 inside, 0 on the boundary, -1 outside",
    reason="equivalent: only the sign is read",
)
survivor(
    "read_record",
    'if topic == "fences" and value is None:',
    'if topic <= "fences" and value is None:',
    reason="equivalent: the topic is one of two",
)
survivor(
    "read_record", 'if topic == "positions":', 'if topic >= "positions":', reason="equivalent: the topic is one of two"
)
survivor(
    "read_record",
    'parts = record.get("coordinates") if record["type"] == "MultiPolygon" else [record.get("coordinates")]',
    'parts = record.get("coordinates") if record["type"] <= "MultiPolygon" else [record.get("coordinates")]',
    reason="equivalent: the type is one of two",
)
survivor(
    "read_record",
    'require(isinstance(places, list) and len(places) >= 4, "rings of at least 4 places")',
    'require(isinstance(places, list) and len(places) >= 3, "rings of at least 4 places")',
    reason="equivalent: GEOS rejects a ring of three places",
)
survivor(
    "read_record",
    'require(isinstance(rings, list) and rings, "polygons of at least one ring")',
    'require(isinstance(rings, list) or rings, "polygons of at least one ring")',
    reason="equivalent: what is no list of rings is rejected when its rings are read",
)
survivor(
    "read_record",
    'require(reason == "Valid Geometry", f"a valid polygon, got {reason}")',
    'require(reason >= "Valid Geometry", f"a valid polygon, got {reason}")',
    reason="equivalent: no reason sorts after it",
)
survivor(
    "read_record",
    "return Position(key, time_ms, -180.0 if lon == 180 else lon, lat, offset)",
    "return Position(key, time_ms, -180.0 if lon >= 180 else lon, lat, offset)",
    reason="equivalent: no longitude is above 180",
)
