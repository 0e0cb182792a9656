"""Wrong answers to lab08_geofencing that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference

reference("FenceIndex")

# The scale is that of the height, so a fence of 358° × 0.001° lies in 358,000 cells; breaks "added … within
# milliseconds"
mutant(
    "scale_of_height",
    "fences_of_all_sizes_fit_into_one_index",
    ("max(box.east - box.west, box.north - box.south, 1e-9)", "max(box.north - box.south, 1e-9)"),
)

reference("MoverIndex")

# A position with the same time replaces the one before; breaks "the same or a later time"
mutant(
    "equal_time_replaces",
    "the_newest_position_by_event_time_counts",
    ("position.time_ms <= before.time_ms", "position.time_ms < before.time_ms"),
)

# Distances are computed with the global function, not with the one that was given; breaks "MoverIndex(exact, metres)"
mutant("own_metres", "near_measures_metres_all_around_the_earth", ("if self._metres(lon", 'if globals()["metres"](lon'))

reference("Watch")

# A resumed Watch knows only movers that are inside; breaks "for the movers whose last positions it affects"
mutant(
    "state_without_positions",
    "a_watch_resumes_from_its_state",
    (
        "            self._movers.put(position)\n",
        '            if self.state["inside"].get(position.mover):\n                self._movers.put(position)\n',
    ),
)

reference("read_record")

# Ends of a ring that differ in the altitude are rejected; breaks "the ends of a closed ring may differ in it"
mutant(
    "altitude_in_closing",
    "a_fence_is_read_ring_by_ring_and_null_deletes_it",
    ("closed[0] == closed[-1]", "places[0] == places[-1]"),
)

# Whole degrees stay int; breaks "Degrees become floats"
mutant(
    "degrees_stay_whole",
    ["a_position_keeps_its_key_time_place_and_offset", "a_fence_is_read_ring_by_ring_and_null_deletes_it"],
    ("return float(lon), float(lat)", "return lon, lat"),
)


# A record without a key is reported for the mover "None"; breaks "key or \"\""
@mutant("refused_of_none", "one_shard_reports_an_unreadable_record")
def batch_of_shard(kept, records, watermark_ms, reports_fences):
    waiting, done_ms, state = kept or ([], -1, None)
    arrived, events = [], []
    for topic, key, value, time_ms, offset in records:
        try:
            arrived.append(read_record(topic, key, value, time_ms, offset))
        except ValueError:
            if topic != "fences" or reports_fences:
                events.append(Event("REFUSED", str(key), topic, time_ms))
    ready, waiting, _ = in_order(waiting, arrived, done_ms, watermark_ms)
    watch = Watch(state)
    for row in ready:
        events += watch.change(row) if isinstance(row, Change) else watch.move(row)
    return (waiting, watermark_ms, watch.state), events


# The width of the circle in degrees is that of its height; breaks "Every cell …" away from the equator
@mutant(
    "degrees_of_latitude",
    ["every_cell_that_the_circle_touches_is_found", "a_circle_at_the_antimeridian_has_cells_on_both_sides"],
)
def cells_near(lon, lat, distance_m):
    high = distance_m / 111_195 * 1.000001
    x, y = cell_of(lon - high, lat - high, distance_m)
    right, top = cell_of(lon + high, lat + high, distance_m)
    return list(product(range(x, right + 1), range(y, top + 1)))


# A cell in both boxes comes twice when the boxes share it; breaks "each once"
@mutant("twice", "a_circle_at_the_antimeridian_has_cells_on_both_sides")
def cells_near(lon, lat, distance_m):
    cells = []
    for west, south, east, north in around(lon, lat, distance_m):
        x, y = cell_of(west, south, distance_m)
        right, top = cell_of(east, north, distance_m)
        cells += product(range(x, right + 1), range(y, top + 1))
        cells += [(x, y)] if west == -180.0 and x != right else []
    return cells


# Adds the new rows to the given list; breaks "waiting is what the call before returned" (an argument is changed)
@mutant("waiting_extended", "no_row_is_lost_or_duplicated_across_calls")
def in_order(waiting, arrived, done_ms, watermark_ms):
    ready, later, late = [], [], []
    waiting.extend(arrived)
    for row in waiting:
        if row.time_ms <= done_ms and isinstance(row, Position):
            late.append(row)
            continue
        if row.time_ms < done_ms:
            row = row._replace(time_ms=done_ms)
        (ready if row.time_ms <= watermark_ms else later).append(row)
    ready.sort(key=lambda row: (row.time_ms, isinstance(row, Position), row.offset))
    return ready, later, late
