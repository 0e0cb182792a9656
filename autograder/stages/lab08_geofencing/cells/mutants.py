"""Wrong versions of `cells_near`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant

TOUCHED = "every_cell_that_the_circle_touches_is_found"
BOTH_SIDES = "a_circle_at_the_antimeridian_has_cells_on_both_sides"
NO_OTHER = "a_circle_inside_a_cell_touches_no_other_one"


# In the north, a circle is wider than three cells; near the equator, nine cells are too many.
@mutant("nine_cells", [TOUCHED, BOTH_SIDES, NO_OTHER])
def cells_near(lon, lat, distance_m):
    column, row = cell_of(lon, lat, distance_m)
    return [(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]


# As in FenceX: a distance in degrees, so a circle is too narrow in the north.
@mutant("degrees_for_metres", [TOUCHED, BOTH_SIDES])
def cells_near(lon, lat, distance_m):
    degrees = distance_m / 111_195
    (first, low), (last, high) = (cell_of(lon + by, lat + by, distance_m) for by in (-degrees, degrees))
    return list(product(range(first, last + 1), range(low, high + 1)))


@mutant("corners_only", TOUCHED)
def cells_near(lon, lat, distance_m):
    boxes = around(lon, lat, distance_m)
    return list({cell_of(x, y, distance_m) for w, s, e, n in boxes for x in (w, e) for y in (s, n)})
