# wrong: the width of the circle in degrees is that of its height; breaks "Every cell …" away from the equator
# caught by: every_cell_that_the_circle_touches_is_found, a_circle_at_the_antimeridian_has_cells_on_both_sides
def cells_near(lon, lat, distance_m):
    high = distance_m / 111_195 * 1.000001
    x, y = cell_of(lon - high, lat - high, distance_m)
    right, top = cell_of(lon + high, lat + high, distance_m)
    return list(product(range(x, right + 1), range(y, top + 1)))
