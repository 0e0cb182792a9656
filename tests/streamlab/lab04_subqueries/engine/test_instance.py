"""Instances and the centralized run process rows in the same order, and do not change their query."""

import pickle
from typing import Any

from streamlab.lab04_subqueries.engine import Arrival, Demux, Instance, Map, Numbered, Operator, Query, centralized
from streamlab.lab04_subqueries.engine.query import Subquery
from streamlab.lab04_subqueries.engine.rows import END_MS, Row, in_order, order_of


class Counter(Operator):
    stateful = True

    def on_row(self, row: Row, port: int = 0) -> list[Row]:
        self.state["n"] = self.state.get("n", 0) + 1
        return []

    def on_time(self, now_ms: int) -> list[Row]:
        return [{"n": self.state.pop("n"), "t": now_ms}] if self.state else []


def new_query() -> tuple[Query, Subquery]:
    query = Query("s").add("number", Numbered(["k"], "n"), ["s"], ["x"])
    query.add("demux", Demux([lambda row: row["n"] == 1, lambda row: row["k"] == "a"]), ["x"], ["first", "a"])
    return query, Subquery(("number", "demux"), ("s",), ("first", "a"))


def arrival(t: int, k: str) -> Arrival:
    return Arrival("s", {"t": t, "k": k})


def test_rows_are_ordered_by_time_then_content_then_stream() -> None:
    mixed = [Arrival("b", {"t": 1, "v": "x"}), Arrival("a", {"t": 1, "v": "x"}), Arrival("z", {"t": 1, "v": "w"})]

    assert sorted([Arrival("q", {"t": 2}), *mixed], key=order_of) == [*mixed[::-1], Arrival("q", {"t": 2})]


def test_a_row_goes_to_every_output_whose_condition_holds() -> None:
    query, whole = new_query()

    left = Instance(query, whole).run([arrival(1, "a"), arrival(2, "b"), arrival(3, "a")], END_MS)

    numbered = [(stream, row["k"], row["n"]) for stream, row in left]
    assert numbered == [("first", "a", 1), ("a", "a", 1), ("first", "b", 1), ("a", "a", 2)]


def test_another_instance_continues_from_a_copy_of_the_state() -> None:
    query, whole = new_query()
    first, second = Instance(query, whole), Instance(query, whole)
    first.run([arrival(1, "a")], 2)
    second.state = pickle.loads(pickle.dumps(first.state))

    assert [row["n"] for _, row in second.run([arrival(2, "a")], 3)] == [2]
    assert first.state == {"number": {("a",): 1}}


def test_time_passes_before_a_row_and_at_the_end_of_a_run() -> None:
    query = Query("s").add("count", Counter(), ["s"], ["out"])
    instance = Instance(query, Subquery(("count",), ("s",), ("out",)))
    left = instance.run([arrival(1, "a"), arrival(1, "b"), arrival(5, "a")], 9)

    assert [row for _, row in left] == [{"n": 2, "t": 5}, {"n": 1, "t": 9}]


def test_the_centralized_run_ignores_input_order_and_does_not_change_the_query() -> None:
    query, _ = new_query()
    rows: list[dict[str, Any]] = [{"t": 2, "k": "a"}, {"t": 1, "k": "b"}, {"t": 1, "k": "a"}]
    results = centralized(query, {"s": rows})

    assert results == centralized(query, {"s": rows[::-1]})
    assert results["a"] == [{"t": 1, "k": "a", "n": 1}, {"t": 2, "k": "a", "n": 2}]


def test_map_keeps_the_time_of_a_row() -> None:
    query = Query("s").add("map", Map(lambda row: {"k": row["k"], "t": 99}), ["s"], ["out"])

    assert centralized(query, {"s": [{"t": 5, "k": "a", "v": 1}]})["out"] == [{"t": 5, "k": "a"}]


def test_the_rows_of_a_stream_are_sorted() -> None:
    expected = [{"t": 1, "v": 1}, {"t": 1, "v": 2}, {"t": 2}]
    assert in_order("s", expected[::-1]) == expected
