"""Wrong versions of the indexes, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

EXACTLY = "at_returns_exactly_the_fences_that_contain_the_place"
REPLACED = "put_replaces_a_fence_and_remove_deletes_it"
SIZES = "fences_of_all_sizes_fit_into_one_index"
FEW_FENCES = "few_fences_are_tested_exactly"
FASTER = "lookups_outperform_a_scan"
NEWEST = "the_newest_position_by_event_time_counts"
INSIDE = "within_returns_exactly_the_movers_inside"
METRES = "near_measures_metres_all_around_the_earth"
SINCE = "positions_older_than_since_ms_do_not_count"
FEW_MOVERS = "few_movers_are_tested_exactly"

reference("FenceIndex")

# As in FenceX: every fence whose box contains the place is an answer.
mutant("candidates", [EXACTLY, REPLACED, SIZES, FEW_FENCES], (" and self._exact(polygons, lon, lat):", ":"))
# Overlooks that a box that ends on a border between cells touches the next cell, too.
mutant(
    "last_column_and_row",
    EXACTLY,
    (
        "        west, south, east, north = (floor(edge * scale) for edge in box)\n",
        "        west, south = floor(box.west * scale), floor(box.south * scale)\n"
        "        east, north = max(west, -floor(-box.east * scale) - 1), max(south, -floor(-box.north * scale) - 1)\n",
    ),
)
mutant("old_cells_stay", REPLACED, ("        self.remove(fence)\n", ""))
mutant(
    "the_same_box_is_the_same_fence",
    REPLACED,
    (
        "        self.remove(fence)\n",
        "        if self._boxes.get(fence) == bounds(polygons):\n            return\n        self.remove(fence)\n",
    ),
)
mutant("one_large_grid", FASTER, ("scale = 2.0 ** -frexp(longer)[1]", "scale = 1.0"))


reference("MoverIndex")

# As in FenceX: the last arrival counts.
mutant(
    "last_arrival", NEWEST, ("            if position.time_ms <= before.time_ms:\n                return False\n", "")
)
mutant(
    "the_lower_offset_counts",
    NEWEST,
    (
        "if position.time_ms <= before.time_ms:",
        "if (position.time_ms, -position.offset) <= (before.time_ms, -before.offset):",
    ),
)
# It remembers the time, and the cells keep the old position.
mutant(
    "who_stands_still_has_no_news",
    SINCE,
    (
        "            cell = self._cell(before.lon, before.lat)\n",
        "            if before[2:4] == position[2:4]:\n                self._newest[position.mover] = position\n"
        "                return True\n            cell = self._cell(before.lon, before.lat)\n",
    ),
)
# As in FenceX: the answer of the index.
mutant(
    "box",
    [INSIDE, FEW_MOVERS],
    ("for each in candidates if self._exact(polygons, each.lon, each.lat)", "for each in candidates"),
)
# As in FenceX: a radius of 0.0005 degrees.
mutant(
    "degrees",
    [METRES, FEW_MOVERS],
    (
        "self._metres(lon, lat, each.lon, each.lat) <= radius_m",
        "((each.lon - lon) ** 2 + (each.lat - lat) ** 2) ** 0.5 * 111_195 <= radius_m",
    ),
)
mutant(
    "metres_of_its_own",
    METRES,
    ("self._exact, self._metres = exact, metres", 'self._exact, self._metres = exact, globals()["metres"]'),
)
mutant(
    "everyone_is_tested",
    [METRES, FEW_MOVERS],
    ("few_cells = len(columns) * len(rows) < len(self._cells)", "few_cells = False"),
    (" and box.west <= each.lon <= box.east and box.south <= each.lat <= box.north:", ":"),
)

# Mutants that no check can catch

survivor(
    "FenceIndex",
    "longer = max(box.east - box.west, box.north - box.south, 1e-9)",
    "longer = max(box.east - box.west, box.north - box.south, -0.999999999)",
    reason="equivalent: the shortest side that counts bounds the scale; a place is found at any scale",
)
survivor(
    "FenceIndex",
    "longer = max(box.east - box.west, box.north - box.south, 1e-9)",
    "longer = max(box.east - box.west, box.north - box.south, 1.000000001)",
    reason="equivalent: the shortest side that counts bounds the scale; a place is found at any scale",
)
survivor(
    "FenceIndex",
    "return scale, ((column, row) for column in range(west, east + 1) for row in range(south, north + 1))",
    "return scale, ((column, row) for column in range(west, east + 1) for row in range(south, north + 2))",
    reason="equivalent: one more cell than the box touches costs memory and changes no answer",
)
survivor(
    "FenceIndex",
    "return scale, ((column, row) for column in range(west, east + 1) for row in range(south, north + 1))",
    "return scale, ((column, row) for column in range(west, east + 2) for row in range(south, north + 1))",
    reason="equivalent: one more cell than the box touches costs memory and changes no answer",
)
survivor(
    "FenceIndex",
    "scale = 2.0 ** -frexp(longer)[1] # cells per degree, at most 1 cell along the longer side",
    "scale = 1.0 ** -frexp(longer)[1] # cells per degree, at most 1 cell along the longer side",
    reason="equivalent: the shortest side that counts bounds the scale; a place is found at any scale",
)
survivor(
    "FenceIndex",
    "scale = 2.0 ** -frexp(longer)[1] # cells per degree, at most 1 cell along the longer side",
    "scale = 2.0 ** -frexp(longer)[ 0] # cells per degree, at most 1 cell along the longer side",
    reason="equivalent: the shortest side that counts bounds the scale; a place is found at any scale",
)
survivor(
    "FenceIndex",
    "scale = 2.0 ** -frexp(longer)[1] # cells per degree, at most 1 cell along the longer side",
    "scale = 2.0 ** ~frexp(longer)[1] # cells per degree, at most 1 cell along the longer side",
    reason="equivalent: the shortest side that counts bounds the scale; a place is found at any scale",
)
survivor(
    "MoverIndex",
    "columns, rows = range(int(west), int(east) + 1), range(int(south), int(north) + 1)",
    "columns, rows = range(int(west), int(east) + 1), range(int(south), int(north) + 2)",
    reason="equivalent: one more cell than the box touches costs time and changes no answer",
)
survivor(
    "MoverIndex",
    "columns, rows = range(int(west), int(east) + 1), range(int(south), int(north) + 1)",
    "columns, rows = range(int(west), int(east) + 2), range(int(south), int(north) + 1)",
    reason="equivalent: one more cell than the box touches costs time and changes no answer",
)
survivor(
    "MoverIndex",
    "few_cells = len(columns) * len(rows) < len(self._cells)",
    "few_cells = len(columns) * len(rows) <= len(self._cells)",
    reason="equivalent: decides how the cells are visited, not which movers are found",
)
survivor(
    "MoverIndex",
    "few_cells = len(columns) * len(rows) < len(self._cells)",
    "few_cells = len(columns) * len(rows) == len(self._cells)",
    reason="equivalent: decides how the cells are visited, not which movers are found",
)
survivor(
    "MoverIndex",
    "few_cells = len(columns) * len(rows) < len(self._cells)",
    "few_cells = len(columns) ** len(rows) < len(self._cells)",
    reason="equivalent: decides how the cells are visited, not which movers are found",
)
survivor(
    "MoverIndex",
    "few_cells = len(columns) * len(rows) < len(self._cells)",
    "few_cells = len(columns) + len(rows) < len(self._cells)",
    reason="equivalent: decides how the cells are visited, not which movers are found",
)
survivor(
    "MoverIndex",
    "few_cells = len(columns) * len(rows) < len(self._cells)",
    "few_cells = len(columns) << len(rows) < len(self._cells)",
    reason="equivalent: decides how the cells are visited, not which movers are found",
)
survivor(
    "MoverIndex",
    "few_cells = len(columns) * len(rows) < len(self._cells)",
    "few_cells = len(columns) | len(rows) < len(self._cells)",
    reason="equivalent: decides how the cells are visited, not which movers are found",
)
survivor(
    "MoverIndex",
    "self._side = 0.015625 # degrees, of a cell",
    "self._side = 1.015625 # degrees, of a cell",
    reason="equivalent: movers are found with cells of any size, and their boxes are compared before they are tested",
)
