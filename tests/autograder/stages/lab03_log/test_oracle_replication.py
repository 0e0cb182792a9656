"""The oracle of `ReplicatedPartition`: what its cases contain, and what holds in every state of theirs."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from autograder.stages.lab03_log.replication import cases
from autograder.stages.lab03_log.replication.oracle import State, replayed

SEEDS = ("public", "seed 1", "seed 2", "seed 3", "seed 4")
FAMILIES = (cases.watermarks, cases.stored, cases.lagging, cases.clean, cases.unclean)


def steps(seed: str = "public") -> Iterator[tuple[list[Any], State, State]]:
    """Yield (event, state before, state after) of all cases of a seed, first events left out."""
    for make in FAMILIES:
        for case in make(seed):
            states = replayed(case)
            yield from zip(case["events"][1:], states, states[1:], strict=False)


def is_unclean(before: State, after: State) -> bool:
    return after["leader"] is not None and after["leader"] not in before["isr"]


def kinds_of(event: list[Any], before: State, after: State) -> dict[str, bool]:
    """Return which kinds of event this one is of."""
    kind, elects = event[0], event[0] == "elect" and after["leader"] is not None
    logs = zip(before["logs"], after["logs"], strict=True)
    return {
        "clean election": elects and not is_unclean(before, after),
        "unclean election": elects and is_unclean(before, after),
        "election without a leader": kind == "elect" and not elects,
        "shrink": kind == "shrink" and len(after["isr"]) < len(before["isr"]),
        "return to the in-sync set": kind == "fetch" and len(after["isr"]) > len(before["isr"]),
        "fetch that deletes": kind == "fetch" and any(old != new[: len(old)] for old, new in logs),
        "loss below the high watermark": after["high_watermark"] < before["high_watermark"],
        "append without a leader": kind == "append" and after["raised"] == "NoLeader",
        "append with too few in sync": after["raised"] == "NotEnoughReplicas",
    }


def test_the_cases_of_five_seeds_have_at_least_a_hundred_of_each_kind_of_event() -> None:
    counts = Counter[str]()
    for seed in SEEDS:
        for step in steps(seed):
            counts.update(kinds_of(*step))

    assert {kind: count for kind, count in counts.items() if count < 100} == {}


def test_nothing_below_the_high_watermark_changes_except_in_an_unclean_election() -> None:
    for event, before, after in steps():
        if event[0] != "elect" or not is_unclean(before, after):
            kept = before["high_watermark"]
            for broker in before["isr"]:
                assert after["logs"][broker][:kept] == before["logs"][broker][:kept]
            assert after["high_watermark"] >= kept


def test_all_in_sync_replicas_share_what_is_below_the_high_watermark() -> None:
    for _, _, state in steps():
        shared = [state["logs"][broker][: state["high_watermark"]] for broker in state["isr"]]

        assert all(each == shared[0] and len(each) == state["high_watermark"] for each in shared)


def test_acks_1_loses_in_a_clean_election_what_the_new_leader_had_not_fetched() -> None:
    events = [["append", "a", 1], ["fetch", 2, 1, 1], ["append", "b", 1], ["elect", [1, 2], 2, False]]

    *_, before, after = replayed({"replicas": 3, "min_isr": 1, "lag_ms": 10, "events": events})

    assert before["acknowledged"] == after["acknowledged"] == ["a", "b"]
    assert (after["leader"], after["logs"][1]) == (1, [])  # the in-sync broker 2 had "a", but broker 1 leads


def test_acks_all_waits_for_the_in_sync_replicas_and_no_longer_than_until_an_election() -> None:
    events = [["append", "a", "all"], ["fetch", 1, 1, 1], ["append", "b", "all"], ["elect", [0, 1], 2, False]]
    later = [["fetch", 1, 3, 9]]

    states = replayed({"replicas": 2, "min_isr": 1, "lag_ms": 10, "events": events + later})

    assert [state["acknowledged"] for state in states] == [[], ["a"], ["a"], ["a"], ["a"]]
    assert states[-1]["high_watermark"] == 2
