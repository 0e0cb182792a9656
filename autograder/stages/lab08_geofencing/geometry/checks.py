"""The checks of `contains` and `read_record`."""

from autograder.checks import Case, Mismatch, Rows, claims, same_value
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab08_geofencing.geometry import cases, cases_records, comparators, oracle


def _same_answers(case: Case, rows: Rows) -> Mismatch | None:
    return comparators.first_wrong_place(case, oracle.inside(case), rows.get("inside"))


def _same_record(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle.record(case)
    call = comparators.call_of(case)
    if expected is None:
        return must_reject(call, rows)
    kind, values = expected
    wrong = must_answer(call, f"a {kind}", rows) or same_value(kind, rows.get("kind"), what=f"the type of {call}")
    return wrong or same_value(values, rows.get("values"), what=f"the fields of {call}")


def _same_record_in_floats(case: Case, rows: Rows) -> Mismatch | None:
    wrong = _same_record(case, rows)
    return wrong or comparators.whole_degrees(comparators.call_of(case), rows.get("values"))


CLAIMS = claims(
    ("contains", "longitude_comes_first", cases.swapped, _same_answers, 1),
    ("contains", "a_bounding_box_is_not_the_fence", cases.concave, _same_answers, 2),
    ("contains", "a_hole_is_outside_and_its_edge_is_inside", cases.holes, _same_answers, 2),
    ("contains", "the_boundary_is_inside_to_the_last_bit", cases.edges, _same_answers, 2),
    ("contains", "every_part_of_a_multipolygon_counts", cases.parts, _same_answers, 2),
    (
        "read_record",
        "a_position_keeps_its_key_time_place_and_offset",
        cases_records.positions,
        _same_record_in_floats,
        1,
    ),
    (
        "read_record",
        "a_fence_is_read_ring_by_ring_and_null_deletes_it",
        cases_records.fences,
        _same_record_in_floats,
        1,
    ),
    ("read_record", "an_invalid_position_is_rejected", cases_records.invalid_positions, _same_record, 1),
    ("read_record", "an_invalid_geometry_is_rejected", cases_records.invalid_fences, _same_record, 1),
    ("read_record", "an_edge_across_the_antimeridian_is_rejected", cases_records.long_edges, _same_record, 1),
    after={
        "a_bounding_box_is_not_the_fence": "longitude_comes_first",
        "a_hole_is_outside_and_its_edge_is_inside": "a_bounding_box_is_not_the_fence",
        "the_boundary_is_inside_to_the_last_bit": "a_bounding_box_is_not_the_fence",
        "every_part_of_a_multipolygon_counts": "a_bounding_box_is_not_the_fence",
    },
)
