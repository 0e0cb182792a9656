"""The oracles of Lab 1 against examples worked out by hand, and `deliver` against the kit's other right solutions."""

import random
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from autograder.stages.lab01_wordcount.delivery import oracle
from autograder.stages.lab01_wordcount.streams.oracle import local_master, occurrences
from autograder.verify.variants import alternatives_of

STAGE = Path(oracle.__file__).parents[1]
Delivery = namedtuple("Delivery", "delivered dropped queued blocked_ms longest_queue")


@pytest.mark.parametrize(
    ("receivers", "workers", "expected"), [(1, 2, "local[3]"), (0, 1, "local[1]"), (-1, 2, None), (1, 0, None)]
)
def test_master_has_a_thread_for_each_receiver_and_worker(receivers: int, workers: int, expected: str | None) -> None:
    assert local_master(receivers, workers) == expected


def test_occurrences_are_numbered_per_state_from_its_stored_count() -> None:
    events = [(0, "a"), (1, "a"), (0, "b"), (0, "a")]

    assert occurrences([{}, {"a": 5}], events) == [("a", 1), ("a", 6), ("b", 1), ("a", 2)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (([], 10, 1, "drop"), Delivery([], [], [], 0, 0)),
        (([5], 10, 0, "drop"), Delivery([], [], [0], 0, 0)),  # an idle consumer needs no buffer
        (([0, 1, 2], 10, 1, "drop"), Delivery([], [2], [0, 1], 0, 1)),
        (([0, 1, 2], 10, 1, "block"), Delivery([0], [], [1, 2], 8, 1)),
        (([0, 0, 0], 10, 0, "block"), Delivery([0, 1], [], [2], 20, 0)),  # 10 ms each, not 10 and 20
        (([0, 10], 10, 0, "drop"), Delivery([0], [], [1], 0, 0)),  # at 10 ms the completion comes first
        (([0, 1, 35], 10, 1, "drop"), Delivery([0, 1], [], [2], 0, 1)),
        (([0, 0, 0, 50], 10, 2, "drop"), Delivery([0, 1, 2], [], [3], 0, 2)),
    ],
)
def test_every_message_is_delivered_dropped_or_still_queued(arguments: tuple[Any, ...], expected: Delivery) -> None:
    assert oracle.delivery(*arguments) == expected._asdict()


@pytest.mark.parametrize(
    "arguments", [([0], 0, 1, "drop"), ([0], 10, -1, "drop"), ([1, 0], 10, 1, "drop"), ([0], 10, 1, "wait")]
)
def test_invalid_arguments_have_no_delivery(arguments: tuple[Any, ...]) -> None:
    assert oracle.delivery(*arguments) is None


@pytest.mark.parametrize("name", ["deliver__recurrence", "deliver__event_loop"])
def test_delivery_agrees_with_other_right_solutions(name: str) -> None:
    tasks = ["words", "count_words", "word_counts", "local_master", "on_word", "standing_counts", "deliver"]
    space: dict[str, Any] = {"Delivery": Delivery}
    exec(next(each.code for each in alternatives_of(STAGE, tasks, []) if each.name == name), space)
    rng = random.Random(name)

    for _ in range(2000):
        arrivals = sorted(rng.choices(range(40), k=rng.randint(0, 8)))
        arguments = (arrivals, rng.randint(1, 12), rng.randint(0, 3), rng.choice(["drop", "block"]))
        assert space["deliver"](*arguments)._asdict() == oracle.delivery(*arguments), arguments
