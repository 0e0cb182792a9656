"""`Desk` against a peer, Lab 4's centralized engine, and its oracle on alerts that can be found by hand."""

from typing import Any

import pytest

from autograder.stages.lab09_system.desk import cases, oracle
from autograder.stages.lab09_system.desk.drive import row_of
from streamlab.lab04_subqueries.engine import Operator, Query, TimeWindow, centralized
from tests.autograder.stages.driven_reference import reference

LAB4, LAB8, LAB9 = "lab04_subqueries", "lab08_geofencing", "lab09_system"


class Away(Operator):
    """Lab 8's `Watch` as an operator: a payment outside of its shop gives a row."""

    stateful = True

    def __init__(self) -> None:
        super().__init__()
        self.watch, self.pairs, self.seen = reference(LAB8).Watch(), set[tuple[str, str]](), dict[str, int]()

    def on_row(self, row: dict[str, Any], port: int = 0) -> list[dict[str, Any]]:
        """Keep who is inside, or ask it."""
        kind, name, time_ms, _, *rest = row["fields"]
        if kind != "pays":
            move = self.watch.change if kind == "shop" else self.watch.move
            for event in move(row_of(row["fields"])):
                pair = event.mover, event.fence
                (self.pairs.discard if event.kind == "EXIT" else self.pairs.add)(pair)
            self.seen |= {name: time_ms}
            return []
        is_away = name in self.seen and (name, rest[2]) not in self.pairs
        return [{"t": time_ms, "account": name, "id": rest[0], "cents": rest[1]}] if is_away else []


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(10)])
def test_the_centralized_engine_finds_the_same_alerts(seed: str) -> None:
    batches = cases.ordered(seed)[-1]["batches"]
    rows = [[*row[:7], 600] if row[0] == "pays" else row for batch in batches for row in batch["rows"]]
    stage = reference(LAB9)

    with stage.replaced(Watch=reference(LAB8).Watch, Aggregate=reference(LAB4).Aggregate):
        alerts = stage.Desk().run([row_of(row) for row in rows], cases.FAR_MS)

    assert sorted(map(tuple, alerts)) == sorted(_of_engine(rows)) != []


def _of_engine(rows: list[Any]) -> list[tuple[Any, ...]]:
    functions = {"cents": ("SUM", "cents"), "limit": ("LAST_VAL", "limit")}
    sums = reference(LAB4).Aggregate(["account"], TimeWindow(10_000, 5_000), functions)
    query = (
        Query("rows", "payments")
        .add("away", Away(), ["rows"], ["outside"])
        .add("sums", sums, ["payments"], ["windows"])
    )
    payments = [{"t": row[2], "account": row[1], "cents": row[5], "limit": row[7]} for row in rows if row[0] == "pays"]
    found = centralized(query, {"rows": [{"t": row[2], "fields": row} for row in rows], "payments": payments})
    spent = [row for row in found["windows"] if row["cents"] > row["limit"]]
    away = [("AWAY", row["account"], row["id"], row["t"], row["cents"]) for row in found["outside"]]
    return away + [("SPENT", row["account"], str(row["t"] + 1), row["t"], row["cents"]) for row in spent]


def test_a_payment_on_the_corner_is_inside_and_one_beside_it_is_away() -> None:
    place, beside = cases.phone("a", 5, 4, 4), cases.phone("a", 6, 4.5, 4)
    rows = [cases.S, place, cases.pays("a", 5, "p"), beside, cases.pays("a", 7, "q")]

    assert oracle.alerts({"batches": [{"rows": rows, "watermark_ms": 9}]}) == [[["AWAY", "a", "q", 7, 500]]]


def test_the_id_of_a_payment_is_new_again_after_more_than_a_minute() -> None:
    rows = [cases.pays("a", at_ms, "p", limit=300) for at_ms in (0, 60_000, 60_001)]
    ends = ["5000", "10000", "65000", "70000"]

    (found,) = oracle.alerts({"batches": [{"rows": rows, "watermark_ms": 80_000}]})

    assert sorted(found, key=lambda alert: alert[3]) == [["SPENT", "a", end, int(end) - 1, 500] for end in ends]
