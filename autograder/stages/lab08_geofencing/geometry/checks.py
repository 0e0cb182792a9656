"""The checks of `contains` and `read_record`."""

from autograder.checks import Case, Mismatch, Rows, claim, same_value
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


CLAIMS = [
    claim("contains", "longitude_comes_first", cases=cases.swapped, judge=_same_answers, invariant=1),
    claim(
        "contains",
        "a_bounding_box_is_not_the_fence",
        cases=cases.concave,
        judge=_same_answers,
        invariant=2,
        after="longitude_comes_first",
    ),
    claim(
        "contains",
        "a_hole_is_outside_and_its_edge_is_inside",
        cases=cases.holes,
        judge=_same_answers,
        invariant=2,
        after="a_bounding_box_is_not_the_fence",
    ),
    claim(
        "contains",
        "the_boundary_is_inside_to_the_last_bit",
        cases=cases.edges,
        judge=_same_answers,
        invariant=2,
        after="a_bounding_box_is_not_the_fence",
    ),
    claim(
        "contains",
        "every_part_of_a_multipolygon_counts",
        cases=cases.parts,
        judge=_same_answers,
        invariant=2,
        after="a_bounding_box_is_not_the_fence",
    ),
    claim(
        "read_record",
        "a_position_keeps_its_key_time_place_and_offset",
        cases=cases_records.positions,
        judge=_same_record_in_floats,
        invariant=1,
    ),
    claim(
        "read_record",
        "a_fence_is_read_ring_by_ring_and_null_deletes_it",
        cases=cases_records.fences,
        judge=_same_record_in_floats,
        invariant=1,
    ),
    claim(
        "read_record",
        "an_invalid_position_is_rejected",
        cases=cases_records.invalid_positions,
        judge=_same_record,
        invariant=1,
    ),
    claim(
        "read_record",
        "an_invalid_geometry_is_rejected",
        cases=cases_records.invalid_fences,
        judge=_same_record,
        invariant=1,
    ),
    claim(
        "read_record",
        "an_edge_across_the_antimeridian_is_rejected",
        cases=cases_records.long_edges,
        judge=_same_record,
        invariant=1,
    ),
]
