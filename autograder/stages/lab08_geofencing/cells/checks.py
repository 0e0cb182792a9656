"""The checks of `cells_near`."""

from autograder.checks import Case, Mismatch, Rows, claim
from autograder.stages.lab08_geofencing.cells import cases, comparators, oracle


def _right_cells(case: Case, rows: Rows) -> Mismatch | None:
    right = oracle.cells(case)
    return comparators.wrong_cells(case, right.touched, right.in_boxes, rows)


AFTER = {
    "a_circle_at_the_antimeridian_has_cells_on_both_sides": "every_cell_that_the_circle_touches_is_found",
    "a_circle_inside_a_cell_touches_no_other_one": "every_cell_that_the_circle_touches_is_found",
}

CLAIMS = [
    claim("cells_near", name, made, _right_cells, invariant=12, after=AFTER.get(name, ()))
    for name, made in (
        ("every_cell_that_the_circle_touches_is_found", cases.anywhere),
        ("a_circle_at_the_antimeridian_has_cells_on_both_sides", cases.antimeridian),
        ("a_circle_inside_a_cell_touches_no_other_one", cases.inside),
    )
]
