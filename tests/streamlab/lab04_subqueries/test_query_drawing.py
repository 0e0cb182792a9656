"""A query is shown with its subqueries and balancers, as text and as a picture with the same content."""

from typing import Any

from streamlab.lab04_subqueries.engine import Map, Numbered, Query, Union
from streamlab.lab04_subqueries.query_drawing import draw_query, edges_of, query_text


def new_query() -> Query:
    query = Query("a", "b").add("m", Map(dict), ["a"], ["x"]).add("union", Union(2), ["x", "b"], ["y"])
    return query.add("number", Numbered(["ip", "url"], "n"), ["y"], ["z"])


def test_the_text_lists_subqueries_instances_and_balancers(parts: Any) -> None:
    assert query_text(parts, new_query(), [2, 3]).splitlines() == [
        "SQ1, 2 instances: m, union",
        "  a: round robin",
        "  b: round robin",
        "SQ2, 3 instances: number",
        "  y: route key (ip, url)",
        "results: z",
    ]


def test_edges_within_a_subquery_have_no_plan(parts: Any) -> None:
    plans = {(edge.maker, edge.reader): edge.plan for edge in edges_of(parts, new_query(), [2, 3])}

    assert plans[("m", "union")] == ""
    assert plans[("union", "number")] == "route key (ip, url)"


def test_the_picture_has_every_operator_and_the_text_as_alt_text(parts: Any) -> None:
    drawn = draw_query(parts, new_query(), [2, 3])

    assert drawn.alt == query_text(parts, new_query(), [2, 3])
    assert all(f">{label}<" in drawn.svg for label in ("m", "union", "number", "SQ2 × 3", "a", "b"))
