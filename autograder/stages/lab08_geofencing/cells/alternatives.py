"""Another right solution of `cells_near`; it must get full marks."""

from autograder.checks.mutant_markers import alternative


# Steps through the boxes by half a cell and looks up where it is.
@alternative("steps_of_half_a_cell")
def cells_near(lon, lat, distance_m):
    step = distance_m / 111_195
    found = set()
    for box in around(lon, lat, distance_m):
        columns = range(floor((box.east - box.west) / step) + 1)
        rows = range(floor((box.north - box.south) / step) + 1)
        lons = [*(box.west + step * number for number in columns), box.east]
        lats = [*(box.south + step * number for number in rows), box.north]
        found |= {cell_of(x, y, distance_m) for x in lons for y in lats}
    return sorted(found)
