# wrong: a cell in both boxes comes twice when the boxes share it; breaks "each once"
# caught by: a_circle_at_the_antimeridian_has_cells_on_both_sides
def cells_near(lon, lat, distance_m):
    cells = []
    for west, south, east, north in around(lon, lat, distance_m):
        x, y = cell_of(west, south, distance_m)
        right, top = cell_of(east, north, distance_m)
        cells += product(range(x, right + 1), range(y, top + 1))
        cells += [(x, y)] if west == -180.0 and x != right else []
    return cells
