"""Seeded cases of `enrich_sync`, `enrich_async` and `enrich_batched`, smallest first."""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for
from streamlab.lab06_enrichment.payments import bank

ANN = ["recipient", "ann", "shop", "Shop 7"], ["device", "ann", "phone", ""], ["location", "ann", "Berlin", "DE"]
THREE = [
    ["t1", "ann", "shop", "phone", "Berlin", 1999, 0],
    ["t2", "ann", "shop", "laptop", "Berlin", 250, 10],
    ["t3", "bob", "shop", "phone", "Berlin", 70, 20],
]


def drawn(seed: str, name: str, count: int, accounts: int = 4) -> Case:
    """Return payments of a bank, and the bank's rows that they need."""
    some = bank(f"{seed}/{name}", accounts)
    payments = some.payments(count)
    asked = dict.fromkeys(key for each in payments for key in each.keys)
    known = [[*key, some.rows[key]] for key in asked if key in some.rows]
    return {"transactions": [list(each) for each in payments], "rows": known}


def _three() -> Case:
    return {"transactions": THREE, "rows": [list(each) for each in ANN]}


def _twice(case: Case) -> Case:
    """Return the case with its first payment twice in a row, which counts as two payments."""
    return {**case, "transactions": [case["transactions"][0], *case["transactions"]]}


def keys(payment: list[Any]) -> list[list[str]]:
    """Return the keys of a payment as lists, in their order."""
    _, account, recipient, device, location, *_ = payment
    return [["recipient", account, recipient], ["device", account, device], ["location", account, location]]


def asked_for(seed: str) -> list[Case]:
    """Return known, unknown and empty rows; no payments; a payment twice; and a store that fails at some key."""
    empty, many = {**_three(), "transactions": []}, drawn(seed, "sync", 40)
    return [_three(), empty, _twice(_three()), many, {**_three(), "breaks": ["device", "ann", "laptop"]}]


def changing(seed: str) -> list[Case]:
    """Return rows that are added and replaced between results."""
    rng, many = random_for(seed, "changing"), drawn(seed, "changing", 12, accounts=2)
    every = [key for each in many["transactions"] for key in keys(each)]
    changes = [[at, rng.choice(every[3 * at :]), f"new {at}"] for at in range(12)]
    small = {**_three(), "transactions": [THREE[1]] * 3, "changes": [[1, ["device", "ann", "laptop"], "Laptop"]]}
    return [small, {**many, "changes": changes}]


def batches(seed: str) -> list[Case]:
    """Return batches that fill up and some that do not, from one payment to more than the input has.

    One has a payment twice; in another one a row is removed between two batches.
    """
    many = drawn(seed, "batches", 23)
    some = [{**many, "batch": size} for size in (1, 5, 23, 22, 100)]
    removed = {"transactions": [THREE[0]] * 2, "batch": 1, "changes": [[1, ["device", "ann", "phone"], None]]}
    few = [{**_three(), "batch": 2}, {**_twice(_three()), "batch": 2}, {**_three(), **removed}]
    return [*few, {**_three(), "transactions": [], "batch": 2}, *some]


def batches_and_a_database(seed: str) -> list[Case]:
    """Return the same batches, a store that fails at some key, and one case on PostgreSQL."""
    broken = {**_three(), "batch": 2, "breaks": ["device", "bob", "phone"]}
    return [*batches(seed), broken, {**drawn(seed, "postgres", 60), "batch": 25, "postgres": True}]


def called(seed: str) -> list[Case]:
    """Return the same batches, and invalid batch sizes."""
    return [*batches(seed), {**_three(), "batch": 0}, {**_three(), "batch": -3}]


# look_up: one payment


def _one(case: Case, at: int = 0, timeout_ms: float = 1000, **more: Any) -> Case:
    return {**case, "transactions": [case["transactions"][at]], "timeout_ms": timeout_ms, **more}


def _lookups(rng: random.Random, case: Case, at: int, **more: Any) -> Case:
    """Return one payment whose lookups take different times."""
    asked = keys(case["transactions"][at])
    delays = [[*key, ms] for key, ms in zip(asked, rng.sample((1, 2, 4, 7, 16), 3), strict=True)]
    return _one(case, at, **{"delays_ms": delays, **more})


def together(seed: str) -> list[Case]:
    """Return payments with known, unknown and empty rows, whose lookups take equal and different times."""
    rng, many = random_for(seed, "together"), drawn(seed, "together", 6)
    slow = [["device", "ann", "phone", 5]]
    return [
        _one(_three()),
        _one(_three(), delays_ms=slow),
        _one(_three(), 2),
        *(_lookups(rng, many, at) for at in range(6)),
    ]


def without_an_answer(seed: str) -> list[Case]:
    """Return lookups that fail or exceed the time-out, one or more of the three, and one that just does not."""
    rng, many = random_for(seed, "without an answer"), drawn(seed, "without an answer", 6)
    device, place = keys(THREE[0])[1:]
    late = [_one(_three(), timeout_ms=ms, delays_ms=[[*device, 5]]) for ms in (3, 4.5, 6)]
    failing = [_one(_three(), fails=[[*device, "StoreError"]], delays_ms=[[*place, 3]])]
    failing += [_one(_three(), fails=[[*key, "TimeoutError"] for key in keys(THREE[0])])]
    return [*late, *failing, *(_lookups(rng, many, at, timeout_ms=rng.choice((3, 5.5))) for at in range(6))]


OTHER_ERRORS = "KeyError", "RuntimeError", "ConnectionRefusedError"  # the last one is an OSError, as is TimeoutError


def ended(seed: str) -> list[Case]:
    """Return errors that are not the store's, and callers that cancel, while other lookups are still running."""
    rng = random_for(seed, "ended")
    recipient, device, place = keys(THREE[0])
    slow = [[*recipient, 9], [*place, rng.randint(5, 20)]]
    errors = [_one(_three(), fails=[[*device, name]], delays_ms=slow) for name in OTHER_ERRORS]
    return [*errors, *(_one(_three(), delays_ms=[*slow, [*device, 7]], cancel_ms=ms) for ms in (1, 6))]


# enrich_async


def _async(case: Case, capacity: int, timeout_ms: float = 1000, **more: Any) -> Case:
    return {**case, "capacity": capacity, "timeout_ms": timeout_ms, **more}


def _six() -> Case:
    payments = [[f"t{n}", "ann", "shop", f"d{n}", "Berlin", 100, n] for n in range(1, 7)]
    rows = [*map(list, ANN), ["device", "ann", "d2", "slow"]]
    return {"transactions": payments, "rows": rows, "delays_ms": [["device", "ann", "d2", 5]]}


def _delayed(seed: str, name: str, count: int) -> tuple[Case, random.Random]:
    """Return payments of many accounts, whose lookups take 1 to 16 ms."""
    rng, case = random_for(seed, f"{name}/delays"), drawn(seed, name, count, accounts=60)
    asked = {tuple(key) for each in case["transactions"] for key in keys(each)}
    return {**case, "delays_ms": [[*key, rng.choice((1, 2, 4, 7, 16))] for key in sorted(asked)]}, rng


def in_order(seed: str) -> list[Case]:
    """Return lookups of different duration."""
    many, _ = _delayed(seed, "in order", 30)
    return [_async(_three(), 5), _async(_six(), 2), _async({**_three(), "transactions": []}, 1), _async(many, 7)]


def in_order_and_a_database(seed: str) -> list[Case]:
    """Return the same cases, and one on PostgreSQL."""
    return [*in_order(seed), _async(drawn(seed, "postgres", 60), 20, postgres=True)]


def as_done(seed: str) -> list[Case]:
    """Return the same cases without order."""
    many, _ = _delayed(seed, "as done", 30)
    return [_async(_six(), 2, ordered=False), *(_async(many, capacity, ordered=False) for capacity in (1, 6, 40))]


def capacities(seed: str) -> list[Case]:
    """Return capacities from one to more than the number of payments, with order and without."""
    many, _ = _delayed(seed, "capacities", 25)
    orders = [_async(many, capacity, ordered=at % 2 == 0) for at, capacity in enumerate((1, 2, 3, 10, 24, 60))]
    return [_async(_six(), 2), *orders]


def unanswered(seed: str) -> list[Case]:
    """Return lookups that fail, and lookups that exceed the timeout."""
    many, rng = _delayed(seed, "unanswered", 25)
    fails = [[*key, rng.choice(("StoreError", "TimeoutError"))] for *key, _ in many["delays_ms"] if rng.random() < 0.2]
    late = [{**many, "fails": fails, "capacity": 4, "timeout_ms": ms, "ordered": ms != 5} for ms in (3, 5, 100)]
    return [_async(_six(), 2, timeout_ms=3), _async(_six(), 3, fails=[["device", "ann", "d2", "StoreError"]]), *late]


def errors(seed: str) -> list[Case]:
    """Return an error of one lookup that is not the store's, also while an earlier payment waits, and the store's."""
    rng = random_for(seed, "errors")
    at = rng.randint(2, 6)
    small = _async(_six(), 2, fails=[["device", "ann", "d2", "RuntimeError"]])
    other = _async(_six(), 3, fails=[["device", "ann", f"d{at}", "KeyError"]], ordered=False)
    early = _async(
        {**_six(), "delays_ms": [["device", "ann", "d1", 10]]}, 2, fails=[["device", "ann", "d2", "KeyError"]]
    )
    return [small, early, other, _async(_six(), 2, fails=[["device", "ann", "d4", "StoreError"]])]


def stops(seed: str) -> list[Case]:
    """Return readers that stop after a few results, and an error that ends the reading."""
    many, rng = _delayed(seed, "stops", 20)
    drawn_stops = [_async(many, 6, stop_after=rng.randint(1, 9), ordered=ordered) for ordered in (True, False)]
    failing = _async(_six(), 4, fails=[["location", "ann", "Berlin", "KeyError"]])
    slow = [["recipient", "ann", "shop", 9], ["device", "ann", "d2", 5]]
    return [_async(_six(), 2, stop_after=1), *drawn_stops, {**failing, "delays_ms": slow}]


def invalid(seed: str) -> list[Case]:
    """Return arguments at the edge of what is valid, and beyond it."""
    rng = random_for(seed, "invalid")
    pairs = [(0, 1000), (1, 0), (-rng.randint(1, 9), 1000), (1, -rng.randint(1, 9)), (1, 1.5)]
    return [_async(_three(), capacity, timeout_ms) for capacity, timeout_ms in pairs]
