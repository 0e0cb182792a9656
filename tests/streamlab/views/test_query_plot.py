"""A query is shown with its cuts and balancers, as text and as a picture that says the same."""

from typing import Any

import pytest

from streamlab.engine import Map, Numbered, Query, Union
from streamlab.views.query_plot import draw_query, edges_of, query_text
from tests.autograder.stages.driven_reference import reference


@pytest.fixture(scope="module")
def parts() -> Any:
    return reference("lab04_subqueries")


def a_query() -> Query:
    query = Query("a", "b").add("m", Map(dict), ["a"], ["x"]).add("union", Union(2), ["x", "b"], ["y"])
    return query.add("number", Numbered(["ip", "url"], "n"), ["y"], ["z"])


def test_text_names_subqueries_instances_and_balancers(parts: Any) -> None:
    assert query_text(parts, a_query(), [2, 3]).splitlines() == [
        "SQ1, 2 instances: m, union",
        "  a: round robin",
        "  b: round robin",
        "SQ2, 3 instances: number",
        "  y: route key (ip, url)",
        "results: z",
    ]


def test_edges_inside_a_subquery_have_no_plan(parts: Any) -> None:
    plans = {(edge.maker, edge.reader): edge.plan for edge in edges_of(parts, a_query(), [2, 3])}

    assert plans[("m", "union")] == ""
    assert plans[("union", "number")] == "route key (ip, url)"


def test_picture_holds_every_operator_and_says_the_text(parts: Any) -> None:
    drawn = draw_query(parts, a_query(), [2, 3])

    assert drawn.alt == query_text(parts, a_query(), [2, 3])
    assert all(f">{label}<" in drawn.svg for label in ("m", "union", "number", "SQ2 × 3", "a", "b"))
