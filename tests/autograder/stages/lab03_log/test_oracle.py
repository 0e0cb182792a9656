"""The oracles of partitions, groups, deliveries, rates and sinks against other sources and worked examples."""

import itertools
import random
from typing import Any

import pytest
from kafka.partitioner.default import murmur2 as murmur2_of_kafka_python

from autograder.stages.lab03_log.delivery import oracle as oracle_delivery
from autograder.stages.lab03_log.kafka import oracle as oracle_streams
from autograder.stages.lab03_log.membership import oracle as oracle_membership
from autograder.stages.lab03_log.partitions import oracle as oracle_partitions
from autograder.stages.lab03_log.partitions.comparators import bytes_after_each, moves, stays
from autograder.stages.lab03_log.rates import oracle as oracle_rates

# Partitions


@pytest.mark.parametrize(
    ("key", "in_java"),
    [
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],  # the vectors of Kafka's UtilsTest.testMurmur2
)
def test_murmur2_returns_the_values_of_kafkas_own_test(key: bytes, in_java: int) -> None:
    assert oracle_partitions.murmur2(key) == in_java % 2**32


def test_murmur2_agrees_with_kafka_python_for_keys_of_every_length() -> None:
    rng = random.Random("murmur2")
    for length in range(40):
        key = rng.randbytes(length)
        assert oracle_partitions.murmur2(key) == murmur2_of_kafka_python(key) % 2**32


def test_the_sign_bit_is_masked_and_the_hash_is_not_negated() -> None:
    assert oracle_partitions.has_sign(b"21")
    assert oracle_partitions.partition_for(b"21", 1000) == (-973932308 & 0x7FFFFFFF) % 1000 == 340


def test_a_partition_is_kept_until_its_bytes_fill_a_batch() -> None:
    assert stays([0, 0, 1, 1, 0], [6, 6, 9, 1, 3], 10) == [True, False, True, False]
    assert stays([0, 1, 0], [3, 3, 3], 10) == [True, True]
    assert bytes_after_each([1, 1, 0], [2, 3, 4], 2) == [[0, 2], [0, 5], [4, 5]]


# Groups


@pytest.mark.parametrize(
    ("partitions", "members", "previous", "fewest"),
    [
        (4, "ab", {"a": [0, 1, 2, 3]}, 2),
        (3, "ab", {"a": [0, 1, 2]}, 1),
        (3, "ab", {"a": [0], "b": [1, 2]}, 0),
        (4, "ab", {"a": [0, 1], "c": [2, 3]}, 0),
        (2, "abc", {"a": [0, 1]}, 1),
        (5, "abc", {"a": [0, 1], "b": [2, 3, 4]}, 1),
        (0, "ab", {"a": [0]}, 0),
        (3, "", {"a": [0]}, 0),
        (2, "ab", {"b": [0, 1], "a": [0]}, 0),  # 0 is a's
    ],
)
def test_the_fewest_moves_follow_from_the_even_shares(
    partitions: int, members: str, previous: Any, fewest: int
) -> None:
    assert oracle_partitions.fewest_moves(partitions, list(members), previous) == fewest


def test_no_even_assignment_needs_fewer_moves() -> None:
    rng = random.Random("assign")
    for _ in range(150):
        partitions, members = rng.randint(0, 5), list("abcd"[: rng.randint(1, 4)])
        previous = {name: rng.sample(range(6), rng.randint(0, 4)) for name in "abcdx"}
        even = [
            assigned
            for owners in itertools.product(members, repeat=partitions)
            if max(map(owners.count, members)) - min(map(owners.count, members)) <= 1
            for assigned in [{name: [p for p in range(partitions) if owners[p] == name] for name in members}]
        ]
        owned = oracle_partitions.owned(partitions, members, previous)
        least = min(len(moves(owned, assigned)) for assigned in even)

        assert oracle_partitions.fewest_moves(partitions, members, previous) == least


# Delivery

BATCHES = [[[None, "a"], [None, "b"]], [[None, "c"]]]  # offsets 0, 1 and 2


@pytest.mark.parametrize(
    ("commit", "crash_at", "handled", "first_run", "commits", "returned"),
    [
        ("before", None, [0, 1, 2], 3, [2, 3], 3),
        ("after", None, [0, 1, 2], 3, [2, 3], 3),
        ("before", ["handle", 1], [2], 0, [2, 3], 1),  # 0 and 1 are lost
        ("before", ["handle", 2], [0, 2], 1, [2, 3], 1),
        ("before", ["handle", 3], [0, 1], 2, [2, 3], 0),
        ("before", ["commit", 1], [0, 1, 2], 0, [2, 3], 3),
        ("before", ["commit", 2], [0, 1, 2], 2, [2, 3], 1),
        ("after", ["handle", 2], [0, 0, 1, 2], 1, [2, 3], 3),
        ("after", ["commit", 1], [0, 1, 0, 1, 2], 2, [2, 3], 3),
        ("after", ["commit", 2], [0, 1, 2, 2], 3, [2, 3], 1),
    ],
)
def test_a_crash_loses_records_if_commits_come_first_and_repeats_them_otherwise(
    commit: str, crash_at: Any, handled: Any, first_run: int, commits: Any, returned: int
) -> None:
    run = oracle_delivery.consumed(BATCHES, 1, commit, crash_at, 0)

    assert (run.handled, run.first_run, run.commits, run.returned) == (handled, first_run, commits, returned)


@pytest.mark.parametrize(
    ("max_bytes", "position", "expected"),
    [(1, 0, [[0, 1], [2]]), (1, 1, [[1], [2]]), (10**6, 1, [[1, 2]]), (1, 2, [[2]]), (1, 3, [])],
)
def test_a_poll_returns_a_read_without_the_records_below_its_position(
    max_bytes: int, position: int, expected: Any
) -> None:
    assert list(oracle_delivery.polls(BATCHES, max_bytes, position)) == expected


@pytest.mark.parametrize(
    ("deliveries", "next_offset", "applied", "goes_on"),
    [
        ([], {}, [], {}),
        ([[0, 0, "a"], [0, 0, "a"]], {}, [[0, 0, "a"]], {"0": 1}),
        ([[0, 0, "a"], [0, 1, "a"]], {}, [[0, 0, "a"], [0, 1, "a"]], {"0": 2}),
        ([[0, 4, "a"], [0, 9, "b"], [0, 4, "a"]], {"0": 4}, [[0, 4, "a"], [0, 9, "b"]], {"0": 10}),
        ([[0, 3, "a"], [1, 3, "b"]], {"0": 4, "7": 2}, [[1, 3, "b"]], {"0": 4, "7": 2, "1": 4}),
    ],
)
def test_each_offset_of_a_partition_is_applied_once(
    deliveries: Any, next_offset: Any, applied: Any, goes_on: Any
) -> None:
    assert oracle_delivery.applied(deliveries, next_offset) == (applied, goes_on)


# Rates


def test_a_search_raises_the_rate_by_the_step_of_its_delay() -> None:
    case = {"start_per_s": 1, "interval_s": 2.0, "capacity_per_s": 1000.0}

    run = oracle_rates.search(case)

    assert run.runs[:4] == [1, 50, 250, 437.5]  # shares 0.001, 0.05, 0.25, 0.4375
    assert run.runs[4] == 437.5 * 1.75
    assert 900 <= run.rate < 1000
    assert all(later == earlier * 1.03 for earlier, later in itertools.pairwise(run.runs[4:]))


@pytest.mark.parametrize(
    ("delays", "more", "runs", "answer"),
    [
        ([0.95], {}, [64], 64),
        ([1.0, 0.9], {}, [64, 32], 32),
        (["inf", 0.95], {}, [64, 32], 32),
        ([9, 9], {"most_runs": 2}, [64, 32], 0.0),
        ([0.2, 9], {"most_runs": 2}, [64, 112], 64),
        ([-1], {}, [64], "MeasuringError"),
        (["nan"], {}, [64], "MeasuringError"),
        ([0.95], {"limit_per_s": 63}, [64], "MeasuringError"),
        ([0.95], {"limit_per_s": 64}, [64], 64),
        ([9, 0.95], {"limit_per_s": 63}, [64, 32], 32),
    ],
)
def test_a_search_returns_a_rate_or_raises_measuring_error(delays: Any, more: Any, runs: Any, answer: Any) -> None:
    script = [[None, each] for each in delays]

    run = oracle_rates.search({"start_per_s": 64, "interval_s": 1.0, "delays": script, **more})

    assert run.runs == runs
    assert (run.rejected or run.rate) == answer


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((100, 0.5, 2, 200, 9), (2.0, "network")),
        ((100, 0.5, 2, 10**6, 9), (4.0, "cpu")),
        ((100, 0.5, 2, 10**6, 3), (3.0, "framework")),
        ((100, 0, 2, 10**6, 10**9), (10**4, "network")),
        ((100, 0.5, 2, 400, 4), (4.0, "network")),
        ((1, 0.5, 2, 400, 4), (4.0, "cpu")),
    ],
)
def test_the_lowest_bound_is_the_rate_limit(arguments: Any, expected: Any) -> None:
    assert oracle_rates.rate_limit(*arguments) == expected


# Windows, sinks, members


def test_a_record_counts_in_the_window_that_holds_its_timestamp() -> None:
    records = [["a", "v", 9_999], ["a", "v", 10_000], ["a", "v", 10_000], [None, "v", 0], ["", "v", 0]]

    assert oracle_streams.kafka_counts(records, 10) == {(0, 10, "a"): 1, (10, 20, "a"): 2, (0, 10, ""): 1}


def test_only_complete_attempts_of_a_batch_are_read_and_only_once() -> None:
    first, second = [["a", 1], ["a", 1]], [["b", 2]]
    writes = [[0, first, "dies"], [0, first, "ok"], [1, second, "ok"], [0, first, "dies"], [0, first, "ok"]]

    assert oracle_streams.written(writes) == [["a", 1], ["a", 1], ["b", 2]]
    assert [oracle_streams.readable_after(writes[:count]) for count in range(1, 6)] == [0, 2, 3, 3, 3]
    assert oracle_streams.written([*writes, [1, [["c", 9]], "ok"]]) == oracle_streams.written(writes)


def test_the_last_commit_of_a_partition_wins() -> None:
    assert oracle_membership.committed([[0, 5], [1, 2], [0, 7]], [0, 1, 2]) == {"0": 7, "1": 2, "2": 0}
    assert oracle_membership.left(["b", "c", "a"], "b") == ["a", "c"]
