"""The oracle against examples worked out by hand, and against the kit's other right solutions."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.stages.lab01_wordcount import oracle

ALTERNATIVES = Path(oracle.__file__).parent / "alternatives"
ALPHABET = "aB'é ß_-9'😀\t"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Don't STOP, don't", ["don't", "stop", "don't"]),
        ("rock 'n' roll_call", ["rock", "n", "roll", "call"]),
        ("", []),
        ("'", []),
        ("--", []),
        ("'tis dogs'", ["tis", "dogs"]),
        ("o''clock", ["o", "clock"]),  # two apostrophes: neither has a letter on both sides
        ("rock'n'roll", ["rock'n'roll"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("café זרם 流处理", ["café", "זרם", "流处理"]),
        ("x² 3.5", ["x²", "3", "5"]),
        ("a\r\n", ["a"]),
    ],
)
def test_words_are_runs_of_letters_and_digits_with_apostrophes_inside(line: str, expected: list[str]) -> None:
    assert oracle.words(line) == expected


def test_words_agree_with_a_regular_expression_on_random_lines() -> None:
    chance = random.Random("words")
    lines = ["".join(chance.choices(ALPHABET, k=chance.randint(0, 12))) for _ in range(3000)]

    for line in lines:
        assert oracle.words(line) == [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)], line


def test_counts_hold_every_occurrence_of_every_line() -> None:
    assert oracle.counts(["to be", "or not to be", ""]) == {"to": 2, "be": 2, "or": 1, "not": 1}


@pytest.mark.parametrize(
    ("receivers", "workers", "expected"),
    [(1, 2, "local[3]"), (0, 1, "local[1]"), (-1, 2, None), (1, 0, None)],
)
def test_master_has_a_thread_for_each_receiver_and_worker(receivers: int, workers: int, expected: str | None) -> None:
    assert oracle.local_master(receivers, workers) == expected


def test_occurrences_are_numbered_for_each_state_alone() -> None:
    events = [(0, "a"), (1, "a"), (0, "b"), (0, "a")]

    assert oracle.occurrences(events) == [("a", 1), ("a", 1), ("b", 1), ("a", 2)]


def row(delivered: list[int], dropped: list[int], queued: list[int], held_up_ms: int, longest: int) -> dict[str, Any]:
    return {
        "delivered": delivered,
        "dropped": dropped,
        "queued": queued,
        "held_up_ms": held_up_ms,
        "longest_queue": longest,
    }


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (([], 10, 1, "drop"), row([], [], [], 0, 0)),
        (([5], 10, 0, "drop"), row([], [], [0], 0, 0)),  # an idle consumer needs no buffer
        (([0, 1, 2], 10, 1, "drop"), row([], [2], [0, 1], 0, 1)),
        (([0, 1, 2], 10, 1, "block"), row([0], [], [1, 2], 8, 1)),
        (([0, 0, 0], 10, 0, "block"), row([0, 1], [], [2], 20, 0)),  # 10 ms each, not 10 and 20
        (([0, 10], 10, 0, "drop"), row([0], [], [1], 0, 0)),  # at 10 ms the completion comes first
        (([0, 1, 35], 10, 1, "drop"), row([0, 1], [], [2], 0, 1)),
        (([0, 0, 0, 50], 10, 2, "drop"), row([0, 1, 2], [], [3], 0, 2)),
    ],
)
def test_delivery_follows_every_message_to_its_end(arguments: tuple[Any, ...], expected: dict[str, Any]) -> None:
    assert oracle.delivery(*arguments) == expected


@pytest.mark.parametrize(
    "arguments", [([0], 0, 1, "drop"), ([0], 10, -1, "drop"), ([1, 0], 10, 1, "drop"), ([0], 10, 1, "wait")]
)
def test_delivery_refuses_what_cannot_be_meant(arguments: tuple[Any, ...]) -> None:
    assert oracle.delivery(*arguments) is None


@pytest.mark.parametrize("name", ["deliver__recurrence", "deliver__event_loop"])
def test_delivery_agrees_with_other_ways_to_find_it(name: str) -> None:
    deliver = _alternative(name)
    chance = random.Random(name)

    for _ in range(2000):
        arrivals = sorted(chance.choices(range(40), k=chance.randint(0, 8)))
        arguments = (arrivals, chance.randint(1, 12), chance.randint(0, 3), chance.choice(["drop", "block"]))
        assert deliver(*arguments) == oracle.delivery(*arguments), arguments


def _alternative(name: str) -> Callable[..., dict[str, Any]]:
    space: dict[str, Any] = {"Delivery": row}
    exec((ALTERNATIVES / f"{name}.py").read_text(encoding="utf-8"), space)
    deliver: Callable[..., dict[str, Any]] = space["deliver"]
    return deliver
