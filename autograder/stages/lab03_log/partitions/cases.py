"""Seeded cases of `partition_for`, `StickyPartitioner` and `assign`, smallest first.

Only `signed` has keys whose hash has its highest bit set. Sizes are such that a partition whose batch is full never has
fewer bytes than all others; otherwise the rules to leave it and to spread bytes evenly would contradict each other.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for
from autograder.stages.lab03_log.partitions.oracle import has_sign, least_loaded_is_another

PARTITIONS = (1, 2, 3, 4, 5, 7, 12, 100)

# partition_for


def keys(seed: str) -> list[Case]:
    """Return keys of 0 to 12 bytes and longer, with byte values from 0 to 255, for several numbers of partitions."""
    rng = random_for(seed, "keys")
    texts = [
        text for text in ["a", "21", "foobar", "tweet", "Straße", *VOCABULARY] if not has_sign(text.encode("utf-8"))
    ]
    arbitrary = [_unsigned(rng, length) for length in (*range(13), 40, 100)]
    return [
        {"keys": texts[:1], "partitions": 2},
        {"keys_hex": [key.hex() for key in arbitrary], "partitions": 1000},
        {"keys": texts[:4], "partitions": 3},
        *({"keys": rng.sample(texts, 9), "partitions": partitions} for partitions in PARTITIONS),
    ]


def _unsigned(rng: random.Random, length: int) -> bytes:
    """Return bytes of one length whose hash is positive; the last byte, if there is one, is above 127."""
    while True:
        key = bytes(rng.randint(0, 255) for _ in range(length))
        if length == 0 or (key[-1] > 127 and not has_sign(key)):
            return key


def signed(seed: str) -> list[Case]:
    """Return keys whose hash is negative in Java, for numbers of partitions that are not a power of two.

    They have 8 bytes, so that none are left over: other keys judge what happens to those.
    """
    rng = random_for(seed, "signed")
    some = [text for text in (f"user{rng.randint(1000, 9999)}" for _ in range(40)) if has_sign(text.encode())]
    return [
        {"keys": some[:1], "partitions": 3},
        {"keys": some[:1], "partitions": 1},
        {"keys": some[1:5], "partitions": 7},
        {"keys": some[5:], "partitions": 100},
        {"keys": some, "partitions": 5},
    ]


# StickyPartitioner


def kept(seed: str) -> list[Case]:
    """Return records that fill a batch exactly or go over it, a tie, empty records, and a single partition."""
    rng = random_for(seed, "kept")
    return [
        _sticky(2, 10, [10, 10]),
        _sticky(2, 2, [1, 0, 1]),
        _sticky(2, 10, [5, 5, 5]),
        _sticky(2, 10, [9, 9, 1]),
        _sticky(2, 10, [10, 20, 10, 5]),  # full, and both have 20 bytes
        _sticky(4, 10, [10, 20, 20, 10, 5]),  # full, and as many bytes as the first
        _sticky(3, 10, [0, 0, 10, 0, 5, 5, 1]),
        _sticky(1, 10, [10, 10, 3]),
        _sticky(4, 1, [1, 1, 1, 1, 1]),
        _any_sizes(rng, rng.randint(3, 6), 100, largest=40),
    ]


def spread(seed: str) -> list[Case]:
    """Return equal records, and unequal ones with which round robin would favour one partition more and more."""
    rng = random_for(seed, "spread")
    partitions = rng.randint(3, 5)
    return [
        _sticky(2, 10, [10] * 5),
        _sticky(3, 10, [5] * 30),
        _sticky(3, 10, _unfair_to_round_robin(3, 10, rounds=12)),
        _sticky(partitions, 50, _unfair_to_round_robin(partitions, 50, rounds=12)),
        _any_sizes(rng, 4, 60, largest=30),
    ]


def _unfair_to_round_robin(partitions: int, batch_bytes: int, rounds: int) -> list[int]:
    """Return sizes that give the second of the partitions in turn almost two batches per round, the others one."""
    a_round = [batch_bytes, batch_bytes - 1, batch_bytes, *([batch_bytes] * (partitions - 2))]
    return a_round * rounds


def _any_sizes(rng: random.Random, partitions: int, batch_bytes: int, largest: int) -> Case:
    """Return sizes with which every rule that serves the least loaded partition succeeds."""
    while True:
        case = _sticky(partitions, batch_bytes, [rng.randint(0, largest) for _ in range(80)])
        if least_loaded_is_another(case):
            return case


def _sticky(partitions: int, batch_bytes: int, sizes: list[int]) -> Case:
    return {"partitions": partitions, "batch_bytes": batch_bytes, "sizes": sizes}


# assign


def groups(seed: str) -> list[Case]:
    """Return members that come, go or stay, more members than partitions, none at all, and conflicting claims."""
    rng = random_for(seed, "groups")
    first = [
        _group(1, ["a"], {}),
        _group(2, [], {"a": [0, 1]}),
        _group(0, ["a", "b"], {}),
        _group(4, ["a", "b"], {"a": [0, 1, 2, 3]}),  # b comes
        _group(4, ["a", "b"], {"a": [0, 1], "b": [2], "c": [3]}),  # c is gone
        _group(2, ["a", "b", "c"], {"b": [0], "c": [1]}),
        _group(5, ["a", "b", "c"], {"c": [0, 1, 2], "a": [3], "b": [4]}),
        _group(3, ["b", "c"], {"b": [0, 1], "c": [1, 2]}),  # both claim 1
        _group(3, ["b", "c"], {"c": [-1, 2]}),  # there is no partition -1
        _group(3, ["b", "c"], {"a": [1, 2], "c": [2, 1, 0, 7]}),  # a is gone, and so is partition 7
        _group(3, ["b", "c"], {"a": [0], "b": [0, 1], "c": [2]}),  # a is gone, and claims 0 as well
        _group(2, ["b", "c"], {"a": [0, 1], "b": [1], "c": [0]}),  # a is gone, and claims all
        _group(6, ["a", "b"], {"b": [0, 1, 2, 3], "a": [3, 4, 5]}),
    ]
    return [*first, *(_any_group(rng, size) for size in (3, 4, 5, 6, 8))]


def _any_group(rng: random.Random, size: int) -> Case:
    """Return a group in which about a third joined and a third left, with none to two random previous owners each."""
    names = [f"member{number}" for number in range(size)]
    here = rng.sample(names, rng.randint(2, size))
    partitions = rng.randint(size, 4 * size)
    previous: dict[str, list[int]] = {name: [] for name in rng.sample(names, rng.randint(1, size))}
    for partition in range(partitions + 2):
        for owner in rng.sample(list(previous), min(len(previous), rng.choice((0, 1, 1, 1, 2)))):
            previous[owner].append(partition)
    return _group(partitions, here, previous)


def impossible_groups(seed: str) -> list[Case]:
    """Return partitions below zero, a member twice, and a group without members, which is valid."""
    below = -random_for(seed, "impossible groups").randint(2, 99)
    wrong = [_group(2, ["a", "a"], {}), _group(2, ["b", "a", "b"], {}), _group(below, [], {})]
    return [_group(-1, ["a"], {}), _group(0, [], {}), _group(0, ["a"], {}), *wrong]


def _group(partitions: int, members: list[str], previous: dict[str, list[int]]) -> dict[str, Any]:
    return {"partitions": partitions, "members": members, "previous": previous, "orders": 6}
