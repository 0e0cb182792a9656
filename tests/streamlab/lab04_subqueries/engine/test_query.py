"""A query rejects an invalid operator with the reason, and knows its result streams."""

import pytest

from streamlab.lab04_subqueries.engine import Demux, Filter, Map, Query, Subquery, Union
from streamlab.lab04_subqueries.engine.query import first_readers


def test_the_results_are_the_streams_that_no_operator_reads() -> None:
    query = Query("s").add("split", Demux([bool, bool]), ["s"], ["a", "b"]).add("map", Map(dict), ["a"], ["c"])

    assert query.results == ("b", "c")


@pytest.mark.parametrize(
    ("name", "inputs", "outputs", "text"),
    [
        ("map", ["s"], ["b"], "the query already has an operator 'map'; give this one another name"),
        ("loop", ["b"], ["b"], "loop reads 'b', which no earlier operator produces; known streams: a, s"),
        ("late", ["later"], ["b"], "late reads 'later', which no earlier operator produces; known streams: a, s"),
        ("again", ["s"], ["a"], "again produces 'a', which exists already; give its output another name"),
        ("source", ["a"], ["s"], "source produces 's', which exists already; give its output another name"),
        ("two", ["s", "a"], ["b"], r"two reads 1 stream, got \['s', 'a'\]"),
        ("none", ["s"], [], r"none produces 1 stream, got \[\]"),
    ],
)
def test_an_operator_that_does_not_fit_is_rejected(name: str, inputs: list[str], outputs: list[str], text: str) -> None:
    query = Query("s").add("map", Map(dict), ["s"], ["a"])

    with pytest.raises(ValueError, match=f"^{text}$"):
        query.add(name, Filter(bool), inputs, outputs)

    assert [node.name for node in query.nodes] == ["map"]


def test_a_stream_that_enters_an_operator_twice_is_rejected() -> None:
    with pytest.raises(ValueError, match="put a Map before one of them"):
        Query("s").add("union", Union(2), ["s", "s"], ["a"])


def test_a_query_without_sources_is_rejected() -> None:
    with pytest.raises(ValueError, match="one or more sources"):
        Query()


def test_the_first_reader_is_the_first_operator_of_the_subquery_that_reads_the_stream() -> None:
    query = Query("s").add("m1", Map(dict), ["s"], ["a"]).add("m2", Map(dict), ["s"], ["b"])
    query.add("union", Union(2), ["a", "b"], ["c"])
    readers = first_readers(query, Subquery(("m2", "union"), ("s", "a"), ("c",)))

    assert readers == {"s": (query.nodes[1].operator, 0), "a": (query.nodes[2].operator, 0)}
