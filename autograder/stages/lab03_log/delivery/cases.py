"""Seeded cases of `consume` and `deduplicate`: a crash at every call, repeated deliveries, smallest first."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import VOCABULARY, random_for
from autograder.stages.lab03_log.delivery.oracle import consumed
from streamlab.lab03_log.wire.batches import batch_of

Pairs = list[list[Any]]

ROOMY = 1_048_576
ONE_BATCH = 1

# consume


def undisturbed(seed: str) -> list[Case]:
    """Return logs that are read to their end: from the start, from a later batch, and from the middle of a batch.

    One has records with an empty value or none; one grows while its first record is handled.
    """
    rng = random_for(seed, "undisturbed")
    few = [_pairs(rng, count) for count in (2, 3, 1)]
    more = [_pairs(rng, rng.randint(1, 5)) for _ in range(8)]
    end = sum(map(len, more))
    return [
        _case([], ROOMY, "after"),
        _case([_pairs(rng, 1)], ROOMY, "before"),
        _case([[[None, ""], ["k", None]]], ROOMY, "after"),
        {**_case([[[None, "a"]]], ROOMY, "after"), "arriving": [[[None, "b"]]]},
        *(_case(few, room, commit) for commit in ("before", "after") for room in (ONE_BATCH, ROOMY)),
        *(_case(few, room, "after", committed=committed) for committed in (1, 3, 6) for room in (ONE_BATCH, ROOMY)),
        _case(more, 200, "before", committed=rng.randint(1, end - 1)),
        _case(more, 200, "after", committed=rng.randint(1, end - 1)),
        *(_case([[[None, "v"]], _of_size(size - _size([[None, "v"]]))], None, "after") for size in (4096, 4097)),
    ]


def _of_size(size: int) -> Pairs:
    """Return one record in a batch of exactly `size` bytes."""
    return next(pairs for pairs in ([[None, "v" * length]] for length in range(size)) if _size(pairs) == size)


def _size(pairs: Pairs) -> int:
    return len(batch_of([(None, value.encode()) for _, value in pairs]))


def crashes_before(seed: str) -> list[Case]:
    """Return cases with commit="before" and a crash at every call of handle and of commit."""
    return _crashes(random_for(seed, "crashes before"), "before")


def crashes_after(seed: str) -> list[Case]:
    """Return cases with commit="after" and a crash at every call of handle and of commit."""
    return _crashes(random_for(seed, "crashes after"), "after")


def _crashes(rng: random.Random, commit: str) -> list[Case]:
    small = [_pairs(rng, 2), _pairs(rng, 1)]
    larger = [_pairs(rng, count) for count in (3, rng.randint(1, 4), 2, 3)]
    return [
        *_at_every_call(small, ONE_BATCH, commit, 0),
        *_at_every_call(larger, ONE_BATCH, commit, 1),
        *_at_every_call(larger, ROOMY, commit, 0),
    ]


def _at_every_call(batches: list[Pairs], max_bytes: int, commit: str, committed: int) -> list[Case]:
    found = consumed(batches, max_bytes, commit, None, committed)
    calls = [("handle", len(found.handled)), ("commit", len(found.commits))]
    return [
        _case(batches, max_bytes, commit, [what, number], committed)
        for what, count in calls
        for number in range(1, count + 1)
    ]


def other_commits(seed: str) -> list[Case]:
    """Return invalid values of `commit`, which must be rejected before any read, and the two valid ones."""
    rng = random_for(seed, "other commits")
    odd = "".join(rng.choices("abcdefgh", k=5))
    commits = ("", "after", "never", "before", "Before", "after ", odd)
    return [*(_case([_pairs(rng, 1)], ROOMY, commit) for commit in commits), _case([], ROOMY, "never")]


def tweeted(seed: str) -> list[Case]:
    """Return texts in several alphabets, with plain lower-case hashtags or none; Lab 2 judges all other hashtags."""
    rng = random_for(seed, "tweeted")
    tags = [f"#{rng.choice(VOCABULARY)}" for _ in range(12)]
    texts = [f"{rng.choice(VOCABULARY)} {tag} {rng.choice(tags)}" for tag in tags]
    return [{"texts": ["#one and #one", "none at all"]}, {"texts": [*texts, "東京 #tokyo", "Straße"]}]


def _pairs(rng: random.Random, count: int) -> Pairs:
    return [[rng.choice([None, *VOCABULARY[:5]]), rng.choice(VOCABULARY)] for _ in range(count)]


def _case(
    batches: list[Pairs], max_bytes: int | None, commit: str, crash_at: list[Any] | None = None, committed: int = 0
) -> Case:
    return {
        "batches": batches,
        "max_bytes": max_bytes,
        "commit": commit,
        "crash_at": crash_at,
        "committed": committed,
    }


# deduplicate: deliveries are [partition, offset, value]


def repeats(seed: str) -> list[Case]:
    """Return one partition whose records come again at once, later, and after gaps; some were applied before."""
    rng = random_for(seed, "repeats")
    once = [[0, at, f"v{at}"] for at in (0, 1, 2, 5, 6, 9)]
    return [
        _delivered([]),
        _delivered([[0, 0, "a"]]),
        _delivered([[0, 3, "a"]]),
        _delivered([[0, 0, "a"], [0, 0, "a"]]),
        _delivered([[0, 8, "a"], [0, 5, "b"]]),  # below the next offset, though it never came
        _delivered([[0, 3, "a"], [0, 7, "b"], [0, 3, "a"], [0, 8, "c"]]),  # a gap loses nothing
        _delivered(once[:3], {"0": 2}),
        _delivered([*once[:2], *once[:4], *once[2:], *once[:1]]),
        _delivered([*once, *once]),
        _delivered(_going_back(rng, 0, 25), {"0": rng.randint(1, 5)}),
    ]


def equal_values(seed: str) -> list[Case]:
    """Return records with the same key and value, or without a value, at several offsets: none of them is a repeat."""
    value = random_for(seed, "equal values").choice(VOCABULARY)
    return [
        _delivered([[0, 0, value], [0, 1, value]]),
        _delivered([[0, 0, None], [0, 1, None]]),
        _delivered([[0, 0, value], [0, 1, value], [0, 2, "other"], [0, 3, value]]),
        _delivered([[0, at, value] for at in range(6)]),
    ]


def partitions(seed: str) -> list[Case]:
    """Return several partitions with independent offsets, interleaved in any order, in one call and in several."""
    rng = random_for(seed, "partitions")
    three = [_going_back(rng, number, 12) for number in range(3)]
    mixed = []
    while any(three):
        mixed.append(rng.choice([each for each in three if each]).pop(0))
    return [
        _delivered([[0, 0, "a"], [1, 0, "b"]]),
        _delivered([[0, 5, "a"], [1, 3, "b"], [0, 6, "c"], [1, 3, "b"]]),
        _delivered([[1, 9, "a"], [0, 0, "b"]], {"1": 9}),
        _delivered(mixed, {"2": rng.randint(1, 4)}),
        *_in_parts(rng),
    ]


def _in_parts(rng: random.Random) -> list[Case]:
    """Return deliveries in several calls, which share only `next_offset`."""
    return [
        _delivered([[0, 0, "a"], [0, 0, "a"]], parts=2),
        _delivered([[0, 4, "a"], [1, 0, "b"], [0, 4, "a"], [1, 0, "b"]], {"0": 4}, parts=2),
        _delivered(_going_back(rng, 0, 24), parts=4),
        _delivered([*_going_back(rng, 3, 10), *_going_back(rng, 5, 10)], {"3": 1, "4": 2}, parts=5),
    ]


def _going_back(rng: random.Random, partition: int, count: int) -> list[list[Any]]:
    """Return a partition as it arrives after crashes: forward with gaps, and at times again from a little earlier."""
    offsets, at = [0], 0
    for _ in range(count):
        at += rng.choice([1, 1, 1, 2, 5])
        offsets.append(at)
    delivered: list[int] = []
    for number in range(len(offsets)):
        back = rng.randint(0, 3) if rng.random() < 0.3 else 0
        delivered += offsets[max(0, number - back) : number + 1]
    return [[partition, offset, f"p{partition}v{offset}"] for offset in delivered]


def _delivered(deliveries: list[list[Any]], next_offset: dict[str, int] | None = None, parts: int = 1) -> Case:
    return {"deliveries": deliveries, "next_offset": next_offset or {}, "parts": parts}
