"""The drives that need ZooKeeper, Kafka or Spark, with the reference: real servers, real deaths."""

from pathlib import Path
from typing import Any

import pytest

from tests.autograder.stages.lab03_log.reference import rows_of, with_code

RECORDS = [
    ["a", "", 1000],
    ["a", "", 9999],
    [None, "", 5000],
    ["a", "", 10_000],
    ["東京", "", 12_345],
]
WINDOWS = [[0.0, 10.0, "a", 2], [10.0, 20.0, "a", 1], [10.0, 20.0, "東京", 1]]


def grouped(folder: Path, **case: Any) -> dict[str, Any]:
    return rows_of("Membership", case, scratch=folder)


def test_a_killed_member_is_noticed_when_its_session_ends(tmp_path: Path) -> None:
    rows = grouped(tmp_path, kind="killed", members=["a", "b"], kill="a")

    assert rows == {
        "kind": "killed",
        "seen": [["a", "b"], ["b"]],
        "members": ["b"],
        "committed": {},
        "rejected": None,
        "ephemeral": True,
        "persistent": False,
    }


def test_a_member_that_leaves_or_comes_is_told(tmp_path: Path) -> None:
    assert grouped(tmp_path, kind="left", leave="b")["seen"] == [["a", "b"], ["a"]]
    assert grouped(tmp_path, kind="joined_late")["seen"] == [["a", "b"], ["a", "b", "c"]]


def test_committed_offsets_outlive_who_committed_them(tmp_path: Path) -> None:
    rows = grouped(tmp_path, kind="offsets", commits=[[0, 5], [0, 12]], partitions=[0, 1])

    assert rows["committed"] == {"0": 12, "1": 0}
    assert rows["persistent"] is True
    assert rows["members"] == []
    assert grouped(tmp_path, kind="offsets", commits=[[0, -1]])["rejected"] == "ValueError"


def test_a_name_is_free_when_the_session_that_had_it_ends(tmp_path: Path) -> None:
    waited = grouped(tmp_path, kind="same_name", members=["a"])

    assert (waited["rejected"], waited["members"]) == (None, ["a"])
    assert grouped(tmp_path, kind="same_name", alive=True, timeout_s=0.3)["rejected"] == "TimeoutError"
    assert grouped(tmp_path, kind="own_session")["rejected"] is None


def test_names_that_cannot_be_are_refused(tmp_path: Path) -> None:
    assert grouped(tmp_path, kind="rejected", me="")["rejected"] == "ValueError"
    assert grouped(tmp_path, kind="rejected", group="a/b")["rejected"] == "ValueError"


@pytest.mark.parametrize(("dies", "restarts"), [(None, None), ("both", 2)])
def test_windows_are_the_same_whatever_dies(dies: str | None, restarts: int | None, spark: Any, tmp_path: Path) -> None:
    case = {"records": RECORDS, "window_s": 10, "watermark_s": 5, "partitions": 2, "kill": dies}

    rows = rows_of("kafka_counts", case, spark=spark, scratch=tmp_path)

    assert rows["windows"] == WINDOWS
    assert rows["columns"] == ["start", "end", "key", "count"]
    assert rows.get("restarts") == restarts


def test_windows_that_cannot_be_meant_are_refused_and_what_is_no_stream_is_named(spark: Any, tmp_path: Path) -> None:
    case = {"records": [], "window_s": 0, "watermark_s": 5}

    assert rows_of("kafka_counts", case, spark=spark, scratch=tmp_path) == {"rejected": "ValueError"}
    stage = with_code("def kafka_counts(events, window_s, watermark_s): return 5", "counts_to_five")
    assert rows_of("kafka_counts", case | {"window_s": 1}, stage, spark=spark, scratch=tmp_path) == {
        "returned": "<int>"
    }


def test_a_batch_is_in_the_table_once_however_often_it_is_tried(spark: Any, tmp_path: Path) -> None:
    two, one, none = [["a", 2], ["b", 1]], [["a", 5]], []
    writes = [[0, two, "dies"], [0, two, "ok"], [1, one, "dies"], [1, one, "ok"], [0, two, "ok"], [2, none, "ok"]]

    rows = rows_of("write_once", {"writes": writes}, spark=spark, scratch=tmp_path)

    assert rows == {"rows": [["a", 2], ["a", 5], ["b", 1]], "after_each": [None, 2, 2, 3, 3, 3]}
    assert rows_of("write_once", {"writes": [[-1, one, "ok"]]}, spark=spark, scratch=tmp_path) == {
        "rejected": "ValueError"
    }


def test_a_sink_that_writes_as_it_goes_shows_what_a_dead_try_wrote(spark: Any, tmp_path: Path) -> None:
    code = """
def write_once(batch, batch_id, table):
    for number, row in enumerate(batch.toLocalIterator()):
        spark = batch.sparkSession
        spark.createDataFrame([tuple(row)], batch.schema).write.mode("append").parquet(table)
"""
    writes = [[0, [["a", 2], ["b", 1]], "dies"]]

    rows = rows_of(
        "write_once", {"writes": writes}, with_code(code, "writes_row_by_row"), spark=spark, scratch=tmp_path
    )

    assert rows["after_each"] != [None]
