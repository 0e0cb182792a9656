"""The cases of Lab 3: seeded, smallest first, each about one thing, and none on which right solutions differ."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from autograder.stages.lab03_log import (
    cases_delivery,
    cases_log,
    cases_log_faults,
    cases_partitions,
    cases_rates,
    cases_services,
    oracle_log,
    oracle_partitions,
    oracle_rates,
    workload_batches,
)
from streamlab.wire.batches import records_of
from tests.autograder.stages.lab03_log.rows_by_hand import STAGE, consume_rows

Cases = Callable[[str], list[dict[str, Any]]]
ALL = list(dict.fromkeys(check.cases for check in STAGE.checks))
SEEDS = ["public", "another", "a third"]
SCRIPTED = [each for each in ALL if each.__module__.endswith(("cases_log", "cases_log_faults"))]
ONE_OF_EACH = (cases_services.gone, cases_services.leaving, cases_services.names, cases_services.commits)


@pytest.mark.parametrize("make", ALL)
def test_cases_are_the_same_for_the_same_seed(make: Cases) -> None:
    assert make("public") == make("public")


@pytest.mark.parametrize("make", ALL)
def test_cases_differ_from_seed_to_seed(make: Cases) -> None:
    assert any(make("public") != make(seed) for seed in [*SEEDS, "a fourth", "a fifth"])


@pytest.mark.parametrize("make", ALL)
def test_cases_are_what_json_can_hold(make: Cases) -> None:
    assert json.loads(json.dumps(make("public"))) == make("public")


@pytest.mark.parametrize("make", ALL)
def test_the_first_case_is_among_the_smallest(make: Cases) -> None:
    sizes = [len(json.dumps(case)) for case in make("public")]

    assert sizes[0] <= 3 * min(sizes)
    assert sizes[0] <= 500 or make.__module__.endswith("cases_services")


# The log


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", SCRIPTED)
def test_no_script_has_a_step_of_which_the_definition_says_nothing(make: Cases, seed: str) -> None:
    for case in make(seed):
        if case.get("script"):
            refusals = [
                answer.get("rejected")
                for step, answer in zip(case["script"], oracle_log.answers(case), strict=True)
                if step[0] == "damage"
            ]
            assert not any(refusals[:-1])  # raises AmbiguousCase


@pytest.mark.parametrize("seed", SEEDS)
def test_only_some_scripts_look_at_files(seed: str) -> None:
    for make in (cases_log.offsets, cases_log.reads, cases_log.outside, cases_log.expiring, cases_log_faults.broken):
        assert not any(step[0] == "files" for case in make(seed) for step in case["script"])


@pytest.mark.parametrize("seed", SEEDS)
def test_segments_are_filled_to_the_byte_and_outgrown_by_one(seed: str) -> None:
    _, fits, outgrown, *_ = cases_log.segments(seed)

    assert len(oracle_log.answers(fits)[-1]["files"]) == 4
    assert len(oracle_log.answers(outgrown)[-1]["files"]) == 6


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scan_reads_more_than_a_read_may_and_so_does_an_entry_too_early(seed: str) -> None:
    by_index = [case for case in cases_log.indexed(seed) if any(step[0] == "read" for step in case["script"])]
    assert len(by_index) == 3
    for case in by_index:
        log = oracle_log.Log(case["segment_bytes"], case["index_bytes"])
        most = [answer.get("most_bytes_read", 0) for answer in oracle_log.answers(case)]
        for step in case["script"]:
            if step[0] == "append":
                log.append(step[1])
        assert log.segments[0].size_bytes > 3 * max(most)
        assert case["index_bytes"] < 2000 or 2 * case["index_bytes"] > max(most) + 1000


@pytest.mark.parametrize("seed", SEEDS)
def test_some_segments_expire_and_some_stay(seed: str) -> None:
    gone = [
        answer["gone"] for case in cases_log.expiring(seed) for answer in oracle_log.answers(case) if "gone" in answer
    ]

    assert {0, 1, 2} <= set(gone)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_disk_is_full_in_the_middle_of_a_batch(seed: str) -> None:
    rooms = {step[1] for case in cases_log_faults.full(seed) for step in case["script"] if step[0] == "disk_full"}
    size = len(oracle_log.bytes_of(cases_log.sized("full", cases_log_faults.VALUE_BYTES)))

    assert {0, 1, size - 1} < rooms
    assert max(rooms) == size - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_every_size_that_is_refused_is_below_one(seed: str) -> None:
    for case in cases_log.not_meant(seed):
        last = oracle_log.answers(case)[-1]["rejected"] if case["script"] else "ValueError"
        assert last == "ValueError"
        assert bool(case["script"]) == (min(case["segment_bytes"], case["index_bytes"]) >= 1)


# Partitions


@pytest.mark.parametrize("seed", SEEDS)
def test_only_signed_keys_have_a_sign(seed: str) -> None:
    def keys(case: dict[str, Any]) -> list[bytes]:
        return [bytes.fromhex(key) for key in case.get("keys_hex", [])] + [key.encode() for key in case.get("keys", [])]

    assert not any(oracle_partitions.has_sign(key) for case in cases_partitions.keys(seed) for key in keys(case))
    for case in cases_partitions.signed(seed):
        assert keys(case)
        assert all(oracle_partitions.has_sign(key) for key in keys(case))
    lengths = {len(key) for case in cases_partitions.keys(seed) for key in keys(case)}
    assert lengths >= set(range(13))


@pytest.mark.parametrize("seed", SEEDS)
def test_masking_negating_and_keeping_the_sign_differ(seed: str) -> None:
    hashes = [
        (oracle_partitions.murmur2(key.encode()), case["partitions"])
        for case in cases_partitions.signed(seed)
        for key in case["keys"]
    ]

    assert any(value % n != value % 2**31 % n for value, n in hashes)
    assert any(abs(value - 2**32) % n != value % 2**31 % n for value, n in hashes)


@pytest.mark.parametrize("make", [cases_partitions.kept, cases_partitions.spread])
@pytest.mark.parametrize("seed", SEEDS)
def test_going_elsewhere_never_contradicts_spreading_evenly(make: Cases, seed: str) -> None:
    several = [case for case in make(seed) if case["partitions"] > 1]

    assert all(cases_partitions.least_loaded_is_another(case) for case in several)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_circle_is_unfair_on_some_sizes(seed: str) -> None:
    def apart(case: dict[str, Any]) -> int:
        at, full, chosen = 0, 0, []
        for size in case["sizes"]:
            if full >= case["batch_bytes"]:
                at, full = (at + 1) % case["partitions"], 0
            full += size
            chosen.append(at)
        loads = oracle_partitions.bytes_after_each(chosen, case["sizes"], case["partitions"])
        return max(max(each) - min(each) for each in loads) - case["batch_bytes"] - max(case["sizes"])

    assert sum(apart(case) >= 0 for case in cases_partitions.spread(seed)) >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_have_moves_that_must_be_and_claims_of_two(seed: str) -> None:
    groups = [(case["partitions"], case["members"], case["previous"]) for case in cases_partitions.groups(seed)]
    fewest = [oracle_partitions.fewest_moves(*group) for group in groups]

    assert 0 in fewest
    assert max(fewest) >= 2


# Delivery


@pytest.mark.parametrize("make", [cases_delivery.crashes_before, cases_delivery.crashes_after])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_crash_happens_and_some_lose_or_repeat(make: Cases, seed: str) -> None:
    lengths = set()
    for case in make(seed):
        rows, calm = consume_rows(case), consume_rows({**case, "crash_at": None})
        assert rows != calm or case["crash_at"][0] == "commit"
        lengths.add(len(rows["handled"]) - len(calm["handled"]))
    assert len(lengths) > 2
    assert max(lengths) <= 0 or min(lengths) >= 0


@pytest.mark.parametrize("seed", SEEDS)
def test_offsets_of_a_partition_go_back_only_to_repeat(seed: str) -> None:
    for make in (cases_delivery.repeats, cases_delivery.equal_values, cases_delivery.partitions):
        for case in make(seed):
            seen: dict[int, list[int]] = {}
            for partition, offset, _ in case["deliveries"]:
                before = seen.setdefault(partition, [])
                assert offset in before or offset > max(before, default=-1)
                before.append(offset)


# Services: few


def test_runs_on_real_services_are_few() -> None:
    assert sum(len(make("public")) for make in (cases_services.counted, cases_services.killed)) <= 3
    assert sum(len(make("public")) for make in ONE_OF_EACH) <= 5
    writes = [case["writes"] for make in (cases_services.written, cases_services.dying) for case in make("public")]
    assert sum(map(len, writes)) <= 25


@pytest.mark.parametrize("seed", SEEDS)
def test_no_record_is_ever_late(seed: str) -> None:
    for case in [*cases_services.counted(seed), *cases_services.killed(seed)]:
        times = [when_ms for *_, when_ms in case["records"]]
        assert max(times) - min(times) < case["watermark_s"] * 1000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_batch_has_the_same_rows_in_every_try(seed: str) -> None:
    for case in [*cases_services.written(seed), *cases_services.dying(seed)]:
        rows: dict[int, Any] = {}
        for batch_id, each, _ in case["writes"]:
            assert rows.setdefault(batch_id, each) == each


# Rates


@pytest.mark.parametrize("seed", SEEDS)
def test_searches_end_in_the_way_that_their_check_is_about(seed: str) -> None:
    climbing = [oracle_rates.search(case) for case in cases_rates.climbing(seed)]
    assert all(on_progress.rate > 0 and on_progress.runs == sorted(on_progress.runs) for on_progress in climbing)
    assert all(len(on_progress.runs) < 60 for on_progress in climbing)
    errors = [oracle_rates.search(case).rejected for case in cases_rates.measuring(seed)]
    assert errors.count("MeasuringError") == 6
    assert errors.count(None) == 3
    assert {oracle_rates.search(case).rejected for case in cases_rates.no_search(seed)} == {"ValueError"}
    assert not any(oracle_rates.search(case).rejected for case in cases_rates.too_fast(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_of_the_three_bounds_binds_once(seed: str) -> None:
    bounds = [oracle_rates.rate_limit(**case) for case in cases_rates.limits(seed)]

    assert {bound for _, bound in filter(None, bounds)} == {"network", "cpu", "framework"}
    assert not any(oracle_rates.rate_limit(**case) for case in cases_rates.no_limits(seed))


# The throughput check


def test_the_race_says_how_many_records_its_batches_hold() -> None:
    content, records = workload_batches.workload("public")
    batches = list(workload_batches.in_a_log(content))

    assert sum(map(len, batches)) == len(content)
    assert records == len(batches) * workload_batches.RECORDS
    assert [record.offset for record in records_of(batches[1])][:2] == [500, 501]
