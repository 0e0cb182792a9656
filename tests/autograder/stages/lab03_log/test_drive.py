"""The drives of Lab 3 that need no server: what the reference answers, and what they say of other answers."""

import json
from typing import Any

import pytest
from kafka.partitioner.default import murmur2

from tests.autograder.stages.lab03_log.reference import rows_of, with_code


def no_labs(lab: str) -> Any:
    raise AssertionError(f"{lab} is not asked for")


def consumed(**case: Any) -> dict[str, Any]:
    batches = [[[None, f"{at}a"], [None, f"{at}b"]] for at in range(3)]
    return rows_of("consume", {"batches": batches, "max_bytes": 1, "committed": 0} | case, earlier=no_labs)


def test_keys_are_where_kafka_puts_them() -> None:
    keys = ["", "a", "ab", "abc", "abcd", "Harvard", "東京", "0" * 1000]

    rows = rows_of("partition_for", {"keys": keys, "partitions": 7})

    assert rows == {"partitions": [(murmur2(key.encode()) & 0x7FFFFFFF) % 7 for key in keys]}
    assert rows_of("partition_for", {"keys_hex": ["ff00"], "partitions": 1}) == {"partitions": [0]}
    assert rows_of("partition_for", {"keys": ["a"], "partitions": 0}) == {"rejected": "ValueError"}


def test_records_without_a_key_stick_and_take_turns() -> None:
    rows = rows_of("StickyPartitioner", {"partitions": 2, "batch_bytes": 100, "sizes": [60] * 6})

    assert rows == {"chosen": [0, 0, 1, 1, 0, 0]}
    assert rows_of("StickyPartitioner", {"partitions": 0, "batch_bytes": 1, "sizes": []}) == {"rejected": "ValueError"}
    assert rows_of("StickyPartitioner", {"partitions": 1, "batch_bytes": 1, "sizes": [-1]}) == {
        "rejected": "ValueError"
    }


def test_bytes_of_two_partitions_never_differ_by_a_batch_and_a_record() -> None:
    sizes = [(at * 7919) % 301 for at in range(2000)]

    chosen = rows_of("StickyPartitioner", {"partitions": 4, "batch_bytes": 1000, "sizes": sizes})["chosen"]

    held = [0] * 4
    for size, at in zip(sizes, chosen, strict=True):
        held[at] += size
        assert max(held) - min(held) < 1000 + 300


def test_a_new_member_takes_no_more_than_its_share() -> None:
    case = {"partitions": 7, "members": ["c", "a", "b"], "previous": {"a": [0, 1, 2, 3], "b": [3, 4, 5, 9], "x": [6]}}

    rows = rows_of("assign", case | {"orders": 5})

    assert rows == {"assigned": {"a": [0, 1, 2], "b": [4, 5], "c": [3, 6]}, "same_in_every_order": True}
    assert rows_of("assign", case | {"members": []}) == {"assigned": {}, "same_in_every_order": True}
    assert rows_of("assign", case | {"members": ["a", "a"]}) == {"rejected": "ValueError"}


def test_what_is_no_assignment_is_named() -> None:
    stage = with_code("def assign(partitions, members, previous): return [members]", "assigns_a_list")

    assert rows_of("assign", {"partitions": 1, "members": ["a"], "previous": {}}, stage) == {"returned": "<list>"}


def test_a_crash_between_loses_or_repeats() -> None:
    before = consumed(commit="before", crash_at=["handle", 4])
    after = consumed(commit="after", crash_at=["handle", 4])

    assert before == {"handled": [0, 1, 2, 4, 5], "first_run": 3, "commits": [2, 4, 6], "polls": 4, "returned": 2}
    assert after == {"handled": [0, 1, 2, 2, 3, 4, 5], "first_run": 3, "commits": [2, 4, 6], "polls": 5, "returned": 4}


def test_without_a_crash_there_is_one_run() -> None:
    rows = consumed(commit="after", crash_at=None, committed=1, max_bytes=10_000)

    assert rows == {"handled": [1, 2, 3, 4, 5], "first_run": 5, "commits": [6], "polls": 2, "returned": 5}


def test_an_unknown_side_is_refused_before_anything_is_read() -> None:
    assert consumed(commit="while") == {"rejected": "ValueError", "polls": 0}


def test_hashtags_of_an_earlier_lab_are_fed_from_the_log() -> None:
    class Lab02:
        hashtags = staticmethod(str.split)

    rows = rows_of("consume", {"texts": ["a b"] * 7 + ["東京"]}, earlier=lambda lab: Lab02)

    assert rows == {"tags": {"a": 7, "b": 7, "東京": 1}}


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_deliveries_are_applied_once_in_one_part_or_several(parts: int) -> None:
    deliveries = [[0, 5, "x"], [1, 0, "x"], [0, 5, "x"], [0, 7, "x"], [0, 4, "y"]]

    rows = rows_of("deduplicate", {"deliveries": deliveries, "next_offset": {"0": 5}, "parts": parts})

    assert rows == {"applied": [[0, 5, "x"], [1, 0, "x"], [0, 7, "x"]], "next_offset": {"0": 8, "1": 1}}


def test_the_search_ends_below_the_capacity_of_a_model() -> None:
    case = {"capacity_per_s": 5000, "start_per_s": 3, "interval_s": 2.0}

    rows = rows_of("highest_rate", case)

    assert 4500 <= rows["rate"] < 5000
    assert rows["runs"][:3] == [3, 150, 750]
    assert rows_of("highest_rate", case | {"limit_per_s": 1000})["rejected"] == "MeasuringError"
    assert rows_of("highest_rate", case | {"interval_s": 0}) == {"rejected": "ValueError", "runs": []}


def test_delays_that_are_written_down_are_played() -> None:
    case = {"delays": [[10, 0.2], [17.5, "inf"], [8.75, "nan"]], "start_per_s": 10, "interval_s": 1}

    rows = rows_of("highest_rate", case)

    assert rows == {"rejected": "MeasuringError", "runs": [10, 17.5, 8.75]}
    assert rows_of("highest_rate", case | {"most_runs": 2}) == {"rate": 10, "runs": [10, 17.5]}


def test_limits_come_with_what_bounds_them() -> None:
    case = {"size_bytes": 100, "cpu_s": 0, "cores": 2, "bytes_per_s": 1e6, "framework_per_s": 1e4}

    assert rows_of("rate_limit", case) == {"rate_per_s": 1e4, "bound": "network"}
    assert rows_of("rate_limit", case | {"cpu_s": 1}) == {"rate_per_s": 2.0, "bound": "cpu"}
    assert rows_of("rate_limit", case | {"cores": 0}) == {"rejected": "ValueError"}
    assert rows_of("rate_limit", case, with_code("def rate_limit(*_): return 5", "one_number")) == {"returned": "<int>"}


def test_rows_are_plain() -> None:
    rows = consumed(commit="after", crash_at=["commit", 2])

    assert json.loads(json.dumps(rows)) == rows
